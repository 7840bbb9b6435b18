// The rate of the tick counter, measured against the steady clock.
#include "clock.hpp"
#include "costs.hpp"

#include <atomic>
#include <chrono>

namespace furca::detail {

namespace {

#if defined(FURCA_CL) || defined(__x86_64__) || defined(__aarch64__)
/// Both clocks at the same moment.
struct Moment {
  std::uint64_t ns;
  std::uint64_t ticks;
};

/// The closest of some readings: a thread may lose its processor in one, and the first call of a
/// clock may take a millisecond, under ThreadSanitizer for one.
Moment now() noexcept {
  Moment closest{};
  std::uint64_t width = UINT64_MAX;
  for (int reading = 0; reading < 5; ++reading) {
    const std::uint64_t before = ticks();
    const std::uint64_t ns = steady_ticks();
    const std::uint64_t took = ticks() - before;
    if (took >= width) continue;
    width = took;
    closest = {ns, before + took / 2};
  }
  return closest;
}

/// In so short a time it is right to about 1 %.
float measure_rate() noexcept {
  constexpr std::uint64_t kNanoseconds = 20'000;
  const Moment start = now();
  Moment end = start;
  while (end.ns - start.ns < kNanoseconds) end = now();
  const float rate =
      static_cast<float>(end.ticks - start.ticks) * 1000.0F / static_cast<float>(end.ns - start.ns);
  return rate >= 1.0F ? rate : 1.0F;
}
#else
float measure_rate() noexcept { return 1000.0F; }
#endif

}  // namespace

constinit std::atomic<float> clock_rate{0};

std::uint64_t steady_ticks() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::uint64_t StdAtomics::nanoseconds() noexcept { return steady_ticks(); }

/// Two threads may both measure; a function-local static could be left half-made in a forked child,
/// which would wait for it for ever.
float ticks_per_microsecond() noexcept {
  float rate = known_ticks_per_microsecond();
  if (rate <= 0) {
    rate = measure_rate();
    clock_rate.store(rate, std::memory_order_relaxed);
  }
  return rate;
}

}  // namespace furca::detail
