#include "tuning.hpp"

#include <furca/detail/atomics.hpp>

#include <algorithm>
#include <cmath>

namespace furca::detail {

Tuning tuning_for(const Costs& costs) noexcept {
  constexpr float kLookBesideTheClock = 20;     // nanoseconds: two words that are in the cache, and a branch for each
  constexpr float kMostPopsOfAFence = 16'384;   // a deque seldom makes as many between two thieves
  const float pops = 4 * costs.heavy_fence / std::max(costs.fence, 0.1F);
  const bool for_good = pops > 4 * kMostPopsOfAFence;
  return {
      .chunk = std::clamp(0.05F * (costs.clock + kLookBesideTheClock), 1.0F, 8.0F),
      .sharing = std::clamp(0.004F * costs.steal, 1.0F, 16.0F),
      .fence_patience = for_good ? Tuning::kForGood : static_cast<std::uint32_t>(std::max(256.0F, std::min(kMostPopsOfAFence, pops))),
      .idle = std::clamp(0.001F * (costs.heavy_fence + costs.wake + costs.wake_latency), 5.0F, 50.0F),
  };
}

constinit LoopTuning loop_tuning;

void LoopTuning::update(const Costs& costs) noexcept {
  const Tuning tuning = tuning_for(costs);
  const auto change = [](std::atomic<float>& ticks, float microseconds) {
    const float wanted = microseconds * ticks_per_microsecond();
    const float now = ticks.load(std::memory_order_relaxed);
    if (wanted > 1.1F * now || now > 1.1F * wanted) ticks.store(wanted, std::memory_order_relaxed);
  };
  change(chunk_, tuning.chunk);
  change(sharing_, tuning.sharing);
  change(idle_, tuning.idle);
}

void measure_costs() noexcept {
  measured_costs.measure();
  loop_tuning.update(measured_costs.get());
}

void steal_took(float ticks) noexcept {
  measured_costs.steal_took(ticks);
  loop_tuning.update(measured_costs.get());
}

Patience patience_for(float microseconds, const Costs& costs) noexcept {
  const float pauses = 750 * microseconds / std::max(costs.pause, 0.1F);
  const float yields = 250 * microseconds / std::max(costs.yield, 0.1F);
  return {.spins = Backoff::rounds_of(pauses), .yields = static_cast<int>(std::clamp(yields, 1.0F, 64.0F))};
}

/// A heavy fence has just been measured, or none yet.
std::uint32_t fence_patience() noexcept { return tuning_for(measured_costs.get()).fence_patience; }

}  // namespace furca::detail
