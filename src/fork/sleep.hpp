// The counts of threads that look for work or sleep, and the waking of those; and the ringing of
// bells. The protocol and why no wake-up is lost: src/fork/sleep.md.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/processor.hpp>
#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/bell.hpp>

#include "../measuring/waking.hpp"

#include <algorithm>
#include <cassert>
#include <climits>
#include <cstdint>

namespace furca::detail {

/// Checked by: tests/model/programs/sleep_programs.hpp ("one falls asleep, one posts", "a waiter
/// and the bell")
///
/// A pool's started threads, counted as looking for work or asleep; all the others are active. A
/// thread is counted from its first start_looking() on, and after its last stop_looking() it is
/// active for ever.
/// Fences do all of the protocol: the words themselves hand over no data, and are relaxed.
/// So a fork reads its own worker's bell and not the counts, which every thief writes: these are
/// looked at after an S9, or where the bell wants attention for another reason.
///
/// Invariants: looking + asleep + active = threads that have begun to look. Threads between S1 and
/// their return from sleep = asleep + permits that were granted and not yet used. A waker moves the
/// counts on the sleeper's behalf, so the next forker already sees somebody looking: a chain of
/// wake-ups, or in a large pool a tree (src/fork/lookers.hpp), not a herd.
template <class A>
class BasicSleep {
 public:
  /// A thread sleeps and fewer than `enough` are looking. A forker asks this after it was told of
  /// sleepers.
  bool must_wake(std::uint32_t enough = 1) const noexcept {
    const std::uint64_t now = state();  // [sleep.F6] pairs with S1
    return asleep(now) != 0 && looking(now) < enough;
  }

  /// Wakes sleepers: no more than `most`, than sleep, and than it takes until `enough` threads are
  /// looking. Returns how many. In one step, since in a large pool many threads wake others at a
  /// time, and each of them needs the line of the counts.
  std::uint32_t wake(std::uint32_t most = 1, std::uint32_t enough = 1) noexcept {
    std::uint64_t count = 0;
    const std::uint64_t before = get_up([&](std::uint64_t state) {
      const std::uint64_t wanted = enough - std::min<std::uint64_t>(enough, looking(state));
      return count = std::min({std::uint64_t{most}, asleep(state), wanted});
    });
    if (count == 0) return 0;
    const bool timed = looking(before) == 0 && count == 1;  // else several are on their way
    const std::uint64_t began = timed ? latency.waking() : 0;
    grant(static_cast<std::uint32_t>(count));
    if (timed) latency.has_been_woken(began);
    return static_cast<std::uint32_t>(count);
  }

  /// Looking -> active. True: the caller must wake(), since it was the last one to look, threads
  /// sleep, and forkers have relied on it being there.
  [[nodiscard]] bool stop_looking() noexcept {
    // [sleep.S4] pairs with F6
    const std::uint64_t before = state_.fetch_sub(kLooking, std::memory_order_relaxed);
    assert(looking(before) > 0);
    return looking(before) == 1 && asleep(before) > 0;
  }

  /// Active -> looking.
  void start_looking() noexcept { state_.fetch_add(kLooking, std::memory_order_relaxed); }

  /// Looking -> asleep, and back to looking when woken. `mark_bells()` marks every bell for
  /// sleepers; stays awake if `last_look()` finds a reason to. `mine()`: what the sleeper itself
  /// waits for has come; asked after each all_look_again(), and then it gets up. Returns whether it
  /// slept, and was woken for work; then the caller tells `latency` once it can look for it.
  template <class MarkBells, class LastLook, class Mine = bool (*)()>
  bool fall_asleep(
      MarkBells mark_bells, LastLook last_look, Mine mine = [] { return false; }) noexcept {
    // [sleep.S1] pairs with F6
    const std::uint64_t before = state_.fetch_add(kAsleep - kLooking, std::memory_order_relaxed);
    assert(looking(before) > 0);
    if (looking(before) == 1) {  // else forkers may rely on those who still look
      A::fence();                // [sleep.S8] pairs with F5
      // [sleep.S9] pairs with F3 and F4
      mark_bells();
    }
    A::heavy_fence();                               // [sleep.S2] pairs with F2
    if (last_look() && stay_awake()) return false;  // [sleep.S3] pairs with F1
    return sleep_on_permits(mine);
  }

  /// Stops the pool: `stopping()` is true from here on, and every sleeping thread is woken.
  void stop() noexcept {
    stopping_.store(true, std::memory_order_relaxed);  // [sleep.F1]: a reason to stay awake
    // [sleep.S7] pairs with S2: it sees whom [sleep.S1] has counted, or [sleep.S1] comes after it
    // and [sleep.S3] sees why to stay awake.
    state_.fetch_add(0, std::memory_order_release);
    const std::uint64_t state = get_up(&asleep);
    if (asleep(state) != 0) grant(static_cast<std::uint32_t>(asleep(state)));
  }

  /// A condition for which some thread sleeps has come about, before a fence: everybody who sleeps
  /// looks whether it was his. A permit would not do: anybody might take it, and sleep on.
  void all_look_again() noexcept {
    // [sleep.Q4]: relaxed, since the caller's fence before it makes it a release
    permits_.fetch_add(kLookAgain, std::memory_order_relaxed);
    A::wake(permits_, INT_MAX);
  }

  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  /// The number of permits to go on that sleepers were given so far.
  std::uint64_t wakes() const noexcept { return wakes_.read(); }

  /// An estimate: the number of threads that sleep now, or are about to.
  std::uint32_t sleepers() const noexcept { return static_cast<std::uint32_t>(asleep(state())); }

  WakeLatency latency;

  // --- for tests ---------------------------------------------------------------------------------

  /// An estimate: a thread is awake and would find a job soon.
  bool somebody_looks() const noexcept { return state() >= kLooking; }

  /// The number of active threads among so many.
  std::uint32_t active(std::uint32_t threads) const noexcept {
    const std::uint64_t now = state();
    return threads - static_cast<std::uint32_t>(looking(now) + asleep(now));
  }

 private:
  static constexpr std::uint64_t kAsleep = 1;
  static constexpr std::uint64_t kLooking = std::uint64_t{1} << 32U;
  std::uint64_t state() const noexcept { return state_.load(std::memory_order_relaxed); }
  static constexpr std::uint64_t asleep(std::uint64_t state) noexcept {
    return state & (kLooking - 1);
  }
  static constexpr std::uint64_t looking(std::uint64_t state) noexcept { return state >> 32U; }

  /// Asleep -> looking: so many as `how_many(state)` says, in one step. Returns the state before.
  template <class HowMany>
  std::uint64_t get_up(HowMany how_many) noexcept {
    for (std::uint64_t before = state();;) {
      const std::uint64_t count = how_many(before);
      if (count == 0) return before;  // no write: many read this cache line
      if (state_.compare_exchange_weak(before, before + count * (kLooking - kAsleep),
                                       std::memory_order_relaxed, std::memory_order_relaxed))
        return before;
    }
  }

  /// permits_: the permits below, no more than there are sleepers; above, how often
  /// all_look_again() was called, modulo 2^16. ABA: a thread that is stopped between S6 and the
  /// system's look at the word, for exactly a multiple of 65,536 such calls, sleeps and looks at
  /// nothing. Each call has a broadcast, a limit or an end of a wait behind it, which take
  /// microseconds, so it would have to be stopped for a tenth of a second, exact to one call; and
  /// the next call wakes it.
  static constexpr std::uint32_t kLookAgain = 1U << 16U;
  static constexpr std::uint32_t kNoPermits = kLookAgain / 2;

  /// Many threads that were woken at a time take their permits by one locked addition each. The
  /// word is below kNoPermits while some of them, who came too late, have not put back what they
  /// took; each of these looks again then, so no permit is lost.
  /// Rejected: a loop of compare_exchange. 64 threads that wake up in 130 us wait for that line
  /// most of the time: a loop of 10 ms, after a rest, gained 31 on 128 threads, and 42 so (bench/
  /// counted, EPYC 7742).
  static constexpr bool has_permit(std::uint32_t word) noexcept {
    return word % kLookAgain > kNoPermits;
  }

  /// Asleep -> looking by one's own hand. False: a waker was faster, and a permit is there or on
  /// its way.
  bool stay_awake() noexcept {
    return asleep(get_up([](std::uint64_t state) { return asleep(state) != 0 ? 1U : 0U; })) != 0;
  }

  /// Release and acquire hand over no data either: the woken thread just finds at its first look
  /// what it was woken for.
  void grant(std::uint32_t count) noexcept {
    wakes_.add(count);
    permits_.fetch_add(count, std::memory_order_release);  // [sleep.S5] pairs with S6
    A::wake(permits_, static_cast<int>(count));
  }

  /// Who gets up by his own hand takes himself out of the count, or takes a permit: one of them is
  /// there or on its way, but others may be faster.
  template <class Mine>
  bool sleep_on_permits(Mine mine) noexcept {
    for (bool slept = false;;) {
      // [sleep.S6] pairs with S5 [waits.Z3] [mail.Q5]
      const std::uint32_t word = permits_.load(std::memory_order_acquire);
      if (has_permit(word)) {
        // [sleep.S6] pairs with S5
        if (has_permit(permits_.fetch_sub(1, std::memory_order_acquire))) return slept;
        permits_.fetch_add(1, std::memory_order_relaxed);  // others were faster
        continue;
      }
      if (mine()) {
        if (stay_awake()) return false;
        A::yield();
      } else {
        slept = true;
        A::wait(permits_, word);
      }
    }
  }

  // looking << 32 | asleep
  alignas(kCacheLine) typename A::template Atomic<std::uint64_t> state_{0};
  alignas(kCacheLine) typename A::template Atomic<std::uint32_t> permits_{kNoPermits};
  Relaxed<std::uint64_t> wakes_{0};
  // whoever looks for work reads it in each round
  alignas(kCacheLine) typename A::template Atomic<bool> stopping_{false};
};

using Sleep = BasicSleep<Atomics>;

// --- a worker's bell -----------------------------------------------------------------------------

template <class A>
void BasicBell<A>::attend() noexcept {
  std::uint32_t word = word_.load(std::memory_order_relaxed);
  if ((word & kNoLightFence) != 0) {
    A::fence();                                    // [bell.R2] pairs with B2
    word = word_.load(std::memory_order_relaxed);  // [bell.R3] pairs with B1
  }
  if ((word & kListening) == 0) return;
  word_.fetch_add(kRing - kListening, std::memory_order_relaxed);
  A::wake(word_, INT_MAX);
}

template <class A>
void BasicBell<A>::ring() noexcept {
  // [waits.Q6] pairs with [bell.B1]
  if ((word_.load(std::memory_order_relaxed) & kListening) == 0) return;
  word_.fetch_add(kRing, std::memory_order_relaxed);
  A::wake(word_, INT_MAX);
}

template <class A>
void BasicBell<A>::forget_sleepers() noexcept {
  if ((word_.load(std::memory_order_relaxed) & kSleepers) == 0) return;
  word_.fetch_and(~kSleepers, std::memory_order_relaxed);  // [sleep.F4] pairs with S9
  A::fence();                                              // [sleep.F5] pairs with S8
}

template <class A>
template <class Ready>
void BasicBell<A>::listen(Ready ready) noexcept {
  // [bell.B1] pairs with R3
  const std::uint32_t word = word_.fetch_or(kListening, std::memory_order_relaxed) | kListening;
  A::heavy_fence();     // [bell.B2] pairs with R2
  if (ready()) return;  // [bell.B3] pairs with R1
  A::wait(word_, word);
}

}  // namespace furca::detail
