// The cost of waking a thread: the waker's own time, and how long it takes until the other one
// looks for work.
#pragma once

#include <furca/detail/measuring/clock.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace furca::detail {

/// A span of time that is measured now and then, in ticks; 0: never yet. A mean, in which one
/// measurement counts for an eighth, and for no more than twice what was known; at most 100 us. A
/// crowded machine lets a thread wait for as long as it likes, and with such a figure no thread
/// would be woken any more.
class MeasuredTime {
 public:
  float get() const noexcept { return ticks_.load(std::memory_order_relaxed); }

  void set(float ticks) noexcept { ticks_.store(ticks, std::memory_order_relaxed); }

  void learn(float seen) noexcept {
    const float known = get();
    if (known > 0) {
      set(std::min(known + 0.125F * (std::min(seen, 2 * known) - known),
                   100 * ticks_per_microsecond()));
    } else {
      set(std::min(seen, 10 * ticks_per_microsecond()));
    }
  }

 private:
  std::atomic<float> ticks_{0};
};

/// 5 us on some machines, 50 on others, which put idle processors to sleep. An estimate that only
/// loops ask: is a sleeper there before the loop is over anyway?
class WakeLatency {
 public:
  /// From the decision to wake a thread until it looks for work.
  float get() const noexcept { return until_it_looks_.get(); }

  /// The waker's own time, which it loses for its loop.
  float wakers_own() const noexcept { return wakers_own_.get(); }

  /// A thread is about to be woken: now.
  std::uint64_t waking() noexcept {
    const std::uint64_t now = ticks();
    since_.store(now, std::memory_order_relaxed);
    return now;
  }

  /// The waker goes on.
  void has_been_woken(std::uint64_t began) noexcept {
    wakers_own_.learn(static_cast<float>(ticks() - began));
  }

  /// The woken thread is about to look for work.
  void woken() noexcept {
    const std::uint64_t now = ticks();
    const std::uint64_t since = since_.exchange(0, std::memory_order_relaxed);
    // else it was not timed, or the counters of two processors differ
    if (since != 0 && now > since) until_it_looks_.learn(static_cast<float>(now - since));
  }

  /// It took the waker so long, and so long until the thread looked for work.
  void learn_all(float wakers_own, float until_it_looks) noexcept {
    wakers_own_.learn(wakers_own);
    until_it_looks_.learn(until_it_looks);
  }

 private:
  std::atomic<std::uint64_t> since_{0};
  MeasuredTime until_it_looks_;
  MeasuredTime wakers_own_;
};

}  // namespace furca::detail
