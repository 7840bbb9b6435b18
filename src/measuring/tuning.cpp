#include "tuning.hpp"

#include <algorithm>

namespace furca::detail {

namespace {

/// The least, if the value is none.
float within(float least, float value, float most) noexcept {
  return value > least ? std::min(value, most) : least;
}

}  // namespace

Tuning tuning_for(const Costs& costs) noexcept {
  // nanoseconds: two words that are in the cache, and a branch for each
  constexpr float kLookBesideTheClock = 20;
  const float pops = 2 * costs.heavy_fence / std::max(costs.fence, 0.1F);
  const float asks = costs.heavy_fence / std::max(costs.pause, 0.1F);
  return {
      .chunk = within(1, 0.05F * (costs.clock + kLookBesideTheClock), 8),
      .sharing = within(3, 0.006F * costs.steal, 16),
      .fence = {.patience = static_cast<std::uint32_t>(within(256, pops, 65'536)),
                .soon = static_cast<std::uint64_t>(within(2e4F, 8 * costs.heavy_fence, 1e6F)),
                .asks = static_cast<std::uint32_t>(within(1, asks, 1'000))},
      .idle = within(5, 0.001F * (costs.heavy_fence + costs.wake + costs.wake_latency), 50),
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
}

void measure_costs() noexcept {
  measured_costs.measure();
  loop_tuning.update(measured_costs.get());
}

void steal_took(float ticks) noexcept {
  measured_costs.steal_took(ticks);
  loop_tuning.update(measured_costs.get());
}

SpinLimit spin_limit_for(float microseconds, const Costs& costs) noexcept {
  const float pauses = 750 * microseconds / std::max(costs.pause, 0.1F);
  const float yields = 250 * microseconds / std::max(costs.yield, 0.1F);
  return {.spins = Backoff::rounds_of(pauses), .yields = static_cast<int>(within(1, yields, 64))};
}

FenceTuning fence_tuning() noexcept { return tuning_for(measured_costs.get()).fence; }

}  // namespace furca::detail
