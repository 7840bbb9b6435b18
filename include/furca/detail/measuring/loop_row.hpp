// Loops that follow each other closely, and when to wake a thread for them.
#pragma once

#include <furca/detail/measuring/wake_latency.hpp>

#include <algorithm>
#include <cstdint>

namespace furca::detail {

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
