// How long it takes from a wake-up until the thread runs.
#pragma once

#include <furca/detail/clock.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace furca::detail {

/// 5 us on some machines, 50 on others, which put idle processors to sleep.
/// In ticks, and an estimate that only loops ask: is a sleeper there before the loop is over anyway? It falls fast and rises slowly,
/// up to 100 us: a crowded machine lets a thread wait for as long as it likes, and with such a figure no thread would be woken any more.
class WakeLatency {
 public:
  /// 0: no thread was woken yet.
  float get() const noexcept { return latency_.load(std::memory_order_relaxed); }

  void waking() noexcept { since_.store(ticks(), std::memory_order_relaxed); }

  void woken() noexcept {
    const std::uint64_t now = ticks();
    const std::uint64_t since = since_.load(std::memory_order_relaxed);
    if (now > since) learn(static_cast<float>(now - since));  // else the counters of two processors differ
  }

  void learn(float seen) noexcept {
    const float known = get();
    const float most = known > 0 ? std::min(1.125F * known, 100 * ticks_per_microsecond()) : 10 * ticks_per_microsecond();
    latency_.store(seen < known ? 0.5F * (seen + known) : std::min(seen, most), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> since_{0};
  std::atomic<float> latency_{0};
};

}  // namespace furca::detail
