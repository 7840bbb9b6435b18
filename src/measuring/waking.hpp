// Whether it pays to wake a thread for a loop: what that costs, the waker's own time and how long
// it takes until the other one looks for work; and how much the loops of a row have lost without.
#pragma once

#include "clock.hpp"

#include <algorithm>
#include <atomic>

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
  std::uint64_t waking(std::uint64_t now = ticks()) noexcept {
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

 private:
  std::atomic<std::uint64_t> since_{0};
  MeasuredTime until_it_looks_;
  MeasuredTime wakers_own_;
};

/// The loops of one thread, as far as sleepers are concerned. All times in ticks.
///
/// To wake a thread costs its waker some microseconds, and some more pass before it is there. One
/// loop must be that long to be worth it. But shorter ones, one after the other, are worth it too:
/// the thread helps with those that come, and has cost the waker's time only. Nobody knows how many
/// will come. So each that ran alone counts what it has lost, and once that is as much as the
/// waker's time a thread is woken: at most twice what would have been best (the ski-rental rule:
/// Karlin, Manasse, Rudolph, Sleator: Competitive Snoopy Caching, 1988).
///
/// Rejected: at the second loop of a row, where the rows before were long (two processors of a
/// virtual machine, where a wake-up costs the waker 15 us, and 50 to 90 pass):
/// rows of 60,000 to 200,000 floats took 0.9 to 1.06 times as long, and short ones after long ones
/// 1.2.
class LoopRow {
 public:
  /// From how long a loop on a thread is worth a wake-up, if it begins `now`. 0 now and then: so
  /// that what a wake-up costs is measured again.
  float worth_waking(std::uint64_t now, const WakeLatency& latency, float unmeasured,
                     bool measure) noexcept {
    if (now >= ends_) lost_ = 0;
    if (measure) return 0;
    if (latency.get() <= 0) return unmeasured;
    const float alone = latency.get() + latency.wakers_own();
    return lost_ > 0 ? std::min(alone, 2 * (latency.wakers_own() - lost_)) : alone;
  }

  /// A loop has ended that took so long alone; on two threads it would have taken half. One that
  /// begins before `row_ends` is in a row with it.
  void ended_unshared(float took, std::uint64_t row_ends) noexcept {
    lost_ += 0.5F * took;
    ends_ = row_ends;
  }

  /// A loop has ended that others could steal from.
  void ended_shared() noexcept { lost_ = 0; }

 private:
  float lost_ = 0;
  std::uint64_t ends_ = 0;
};

}  // namespace furca::detail
