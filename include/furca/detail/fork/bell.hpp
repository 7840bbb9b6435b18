// The bell of a worker, on which others sleep who wait for what it does. Why no wake-up is lost:
// src/fork/sleep.md.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <climits>
#include <cstdint>

namespace furca::detail {

/// A bell, which a worker rings when those who wait for a job it runs should look again: it has
/// forked, or finished a job. Its worker rings it, and who ends a scope that a listener waits for;
/// anybody may listen. It also tells its worker that threads have gone to sleep.
///
/// the bell's worker                        waiter
///   [bell.R1] fork, or set a latch  release  [bell.B1] word |= listening    relaxed
///   [bell.R2] light fence                    [bell.B2] heavy fence
///   [bell.R3] listened to?          relaxed  [bell.B3] latch set, or something to steal?
///                                             else sleep
/// Because of the two fences either B3 finds it or R3 sees the listener.
/// Checked by: tests/model/programs/sleep_programs.hpp ("a waiter and the bell")
template <class A>
class BasicBell {
 public:
  /// Where there is no asymmetric fence the light fence must be a real one: such a bell always
  /// wants attention.
  /// It is made with the bit set, since threads may sleep already.
  BasicBell() noexcept : word_(kSleepers | (A::asymmetric() ? 0 : kNoLightFence)) {}

  /// Its worker, after [sleep.F1] or [bell.R1] and a light fence: call attend(); after [sleep.F1]
  /// also forget_sleepers().
  bool wants_attention() const noexcept {
    // [bell.R3] [sleep.F3] pairs with [bell.B1] [sleep.S9]
    return (word_.load(std::memory_order_relaxed) & (kListening | kNoLightFence | kSleepers)) != 0;
  }

  /// Its worker: rings if a thread listens.
  void attend() noexcept {
    std::uint32_t word = word_.load(std::memory_order_relaxed);
    if ((word & kNoLightFence) != 0) {
      A::fence();                                    // [bell.R2] pairs with B2
      word = word_.load(std::memory_order_relaxed);  // [bell.R3] pairs with B1
    }
    if ((word & kListening) == 0) return;
    word_.fetch_add(kRing - kListening, std::memory_order_relaxed);
    A::wake(word_, INT_MAX);
  }

  /// Any thread: every listener looks again. The bit that says whether there are any is the
  /// worker's, and stays as it was.
  void ring() noexcept {
    word_.fetch_add(kRing, std::memory_order_relaxed);
    A::wake(word_, INT_MAX);
  }

  /// Any thread, after it has published something and then a fence, or a light one: as ring(), if a
  /// thread listens.
  void ring_listeners() noexcept {
    // [waiters.Q6] pairs with [bell.B1]
    if ((word_.load(std::memory_order_relaxed) & kListening) != 0) ring();
  }

  /// Its worker: then look at must_wake(), and see every sleeper that there was; who falls asleep
  /// later will tell.
  void forget_sleepers() noexcept {
    if ((word_.load(std::memory_order_relaxed) & kSleepers) == 0) return;
    word_.fetch_and(~kSleepers, std::memory_order_relaxed);  // [sleep.F4] pairs with S9
    A::fence();                                              // [sleep.F5] pairs with S8
  }

  /// Any thread: threads sleep, and none looks for work.
  // [sleep.S9] pairs with F3 and F4
  void tell_of_sleepers() noexcept { word_.fetch_or(kSleepers, std::memory_order_relaxed); }

  /// Anybody: sleeps until the bell rings, unless `ready()` is true by now. May return for no
  /// reason.
  template <class Ready>
  void listen(Ready ready) noexcept {
    // [bell.B1] pairs with R3
    const std::uint32_t word = word_.fetch_or(kListening, std::memory_order_relaxed) | kListening;
    A::heavy_fence();     // [bell.B2] pairs with R2
    if (ready()) return;  // [bell.B3] pairs with R1
    A::wait(word_, word);
  }

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
