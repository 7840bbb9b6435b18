// The bell of a worker, on which others sleep who wait for what it does: what a fork asks it. The
// rest is in src/fork/sleep.hpp, and why no wake-up is lost, in sleep.md there.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <cstdint>

namespace furca::detail {

/// A bell, which a worker rings when those who wait for a job it runs should look again: it has
/// forked, or finished a job. Others ring it for mail, a scope's helper or end, an event, a thread
/// that rests. Anybody may listen. It is also marked, for its worker, once threads sleep.
/// Checked by: tests/model/programs/sleep_programs.hpp ("a waiter and the bell")
template <class A>
class BasicBell {
 public:
  /// Where there is no asymmetric fence the light fence must be a real one: such a bell always
  /// wants attention.
  /// It is made with the bit set, since threads may sleep already.
  BasicBell() noexcept : word_(kSleepers | (A::asymmetric() ? 0 : kNoLightFence)) {}

  /// Its worker, after [sleep.F1] or [bell.R1] and a light fence. True: it must attend(), and after
  /// [sleep.F1] forget_sleepers().
  bool wants_attention() const noexcept {
    // [bell.R3] [sleep.F3] pairs with [bell.B1] [sleep.S9]
    return (word_.load(std::memory_order_relaxed) & (kListening | kNoLightFence | kSleepers)) != 0;
  }

  /// Its worker: rings if a thread listens.
  void attend() noexcept;

  /// Any thread, after it has published something and then a fence, or a light one: every listener
  /// looks again. The bit that says whether there are any is the worker's, and stays as it was.
  void ring() noexcept;

  /// Its worker: then look at must_wake(), and see every sleeper that there was; who falls asleep
  /// later marks it again.
  void forget_sleepers() noexcept;

  /// Any thread: threads sleep, and none looks for work.
  // [sleep.S9] pairs with F3 and F4
  void mark_sleepers() noexcept { word_.fetch_or(kSleepers, std::memory_order_relaxed); }

  /// Anybody: sleeps until the bell rings, unless `ready()` is true by now. May return for no
  /// reason.
  template <class Ready>
  void listen(Ready ready) noexcept;

 private:
  static constexpr std::uint32_t kListening = 1;
  static constexpr std::uint32_t kNoLightFence = 2;
  static constexpr std::uint32_t kSleepers = 4;
  // the bits above count rings, so that a listener who has not slept yet does not
  static constexpr std::uint32_t kRing = 8;

  typename A::template Atomic<std::uint32_t> word_;
};

using Bell = BasicBell<Atomics>;

}  // namespace furca::detail
