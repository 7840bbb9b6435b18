// The rate of the tick counter, measured against the steady clock.
#include "clock.hpp"

#include <furca/detail/clock.hpp>

#include <atomic>
#include <chrono>

namespace furca::detail {

namespace {

float measure_rate() noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr std::uint64_t kNanoseconds = 20'000;  // some hundred clock reads: the rate is right to about 1 %
  const std::uint64_t start_ns = steady_ticks();
  const std::uint64_t start = ticks();
  std::uint64_t elapsed_ns = 0;
  while (elapsed_ns < kNanoseconds) elapsed_ns = steady_ticks() - start_ns;
  const float rate = static_cast<float>(ticks() - start) * 1000.0F / static_cast<float>(elapsed_ns);
  return rate >= 1.0F ? rate : 1.0F;
#else
  return 1000.0F;
#endif
}

}  // namespace

constinit std::atomic<float> clock_rate{0};

std::uint64_t steady_ticks() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// Two threads may both measure; a function-local static could be left half-made in a forked child, which would wait for it for ever.
float ticks_per_microsecond() noexcept {
  float rate = known_ticks_per_microsecond();
  if (rate <= 0) {
    rate = measure_rate();
    clock_rate.store(rate, std::memory_order_relaxed);
  }
  return rate;
}

}  // namespace furca::detail
