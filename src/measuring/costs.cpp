#include "costs.hpp"

#include <furca/detail/base/processor.hpp>

namespace furca::detail {

namespace {

/// Ticks for each of so many calls, the least of a few tries: the system may interrupt one.
template <class F>
float ticks_of(int calls, F f) noexcept {
  std::uint64_t least = UINT64_MAX;
  for (int tries = 0; tries < 3; ++tries) {
    const std::uint64_t start = ticks();
    for (int i = 0; i < calls; ++i) f();
    least = std::min(least, ticks() - start);
  }
  return std::max(static_cast<float>(least) / static_cast<float>(calls),
                  1e-4F * ticks_per_microsecond());
}

/// In nanoseconds, if it was measured.
float known(const MeasuredTime& time, float otherwise) noexcept {
  return time.get() > 0 ? time.get() * 1'000 / ticks_per_microsecond() : otherwise;
}

/// The least, if the value is none.
float within(float least, float value, float most) noexcept {
  return value > least ? std::min(value, most) : least;
}

}  // namespace

float Costs::chunk() const noexcept {
  // nanoseconds: two words that are in the cache, and a branch for each
  constexpr float kLookBesideTheClock = 20;
  return within(1, 0.05F * (clock + kLookBesideTheClock), 8);
}

float Costs::sharing() const noexcept { return within(3, 0.006F * steal, 16); }

FenceTuning Costs::fence_tuning() const noexcept {
  const float pops = 2 * heavy_fence / std::max(fence, 0.1F);
  const float asks = heavy_fence / std::max(pause, 0.1F);
  return {.patience = static_cast<std::uint32_t>(within(256, pops, 65'536)),
          .soon = static_cast<std::uint64_t>(within(2e4F, 8 * heavy_fence, 1e6F)),
          .asks = static_cast<std::uint32_t>(within(1, asks, 1'000))};
}

float Costs::looking() const noexcept {
  return within(5, 0.001F * (heavy_fence + wake + wake_latency), 50);
}

Backoff Costs::backoff(float microseconds) const noexcept {
  const float pauses = 750 * microseconds / std::max(pause, 0.1F);
  const float yields = 250 * microseconds / std::max(yield, 0.1F);
  return {Backoff::rounds_of(pauses), static_cast<int>(within(1, yields, 64))};
}

constinit MeasuredCosts measured_costs;

/// Two threads may both measure, as with the clock's rate.
void MeasuredCosts::measure() noexcept {
  if (clock_.get() > 0) return;
  std::uint64_t sum = 0;
  fence_.set(ticks_of(64, &StdAtomics::fence));
  pause_.set(ticks_of(64, [] { StdAtomics::relax(); }));
  yield_.set(ticks_of(4, [] { StdAtomics::yield(); }));
  clock_.set(ticks_of(64, [&sum] { sum += ticks(); }));
  tune_loops();
}

void MeasuredCosts::steal_took(float ticks) noexcept {
  steal_.learn(ticks);
  tune_loops();
}

/// Only by so much that it matters, since all threads read it.
void MeasuredCosts::tune_loops() noexcept {
  const Costs costs = get();
  const auto change = [](std::atomic<float>& ticks, float microseconds) {
    const float wanted = microseconds * ticks_per_microsecond();
    const float now = ticks.load(std::memory_order_relaxed);
    if (wanted > 1.1F * now || now > 1.1F * wanted) ticks.store(wanted, std::memory_order_relaxed);
  };
  change(chunk_, costs.chunk());
  change(sharing_, costs.sharing());
}

Costs MeasuredCosts::get(const WakeLatency* wakes) const noexcept {
  Costs costs;
  costs.clock = known(clock_, costs.clock);
  costs.fence = known(fence_, costs.fence);
  costs.pause = known(pause_, costs.pause);
  costs.yield = known(yield_, costs.yield);
  costs.heavy_fence = known(heavy_fence_, costs.heavy_fence);
  costs.steal = known(steal_, costs.steal);
  if (wakes != nullptr && wakes->get() > 0) {
    costs.wake = wakes->wakers_own() * 1'000 / ticks_per_microsecond();
    costs.wake_latency = wakes->get() * 1'000 / ticks_per_microsecond();
  }
  return costs;
}

void MeasuredCosts::pretend(const Costs& costs) noexcept {
  const float ticks = ticks_per_microsecond() / 1'000;  // in a nanosecond
  clock_.set(costs.clock * ticks);
  fence_.set(costs.fence * ticks);
  pause_.set(costs.pause * ticks);
  yield_.set(costs.yield * ticks);
  heavy_fence_.set(costs.heavy_fence * ticks);
  steal_.set(costs.steal * ticks);
  tune_loops();
}

FenceTuning StdAtomics::fence_tuning() noexcept { return measured_costs.get().fence_tuning(); }

}  // namespace furca::detail
