// Costs on this machine: measured, since machines differ tenfold.
#pragma once

#include <furca/detail/measuring/wake_latency.hpp>

#include <atomic>

namespace furca::detail {

/// In nanoseconds. Hints: a wrong one makes furca slower, never wrong. The values here are those of
/// a machine of which nothing is known.
struct Costs {
  float clock = 15;             // to read ticks()
  float fence = 8;              // a full one, of one thread
  float pause = 20;             // between two looks at a word that another thread may write
  float yield = 500;            // with nobody else to run
  float heavy_fence = 2'000;    // on behalf of all threads, while others run
  float steal = 500;            // of a fork: some cache lines come from another processor
  float wake = 5'000;           // a thread, to its waker
  float wake_latency = 10'000;  // until it looks for work
};

/// The costs that one process has measured so far. Any thread.
class MeasuredCosts {
 public:
  /// Measures what one thread can, in some ten microseconds; at the first call only.
  void measure() noexcept;

  /// On the way: a heavy fence, or a steal, took so many ticks.
  void heavy_fence_took(float ticks) noexcept { heavy_fence_.learn(ticks); }
  void steal_took(float ticks) noexcept { steal_.learn(ticks); }

  /// As far as they are known. The cost of a wake-up is known to each pool.
  Costs get(const WakeLatency* wakes = nullptr) const noexcept;

  /// For tests: those of another machine, from here on.
  void pretend(const Costs& costs) noexcept;

 private:
  void set_local(const Costs& costs) noexcept;

  std::atomic<float> clock_{0};  // nanoseconds; 0: not measured
  std::atomic<float> fence_{0};
  std::atomic<float> pause_{0};
  std::atomic<float> yield_{0};
  MeasuredTime heavy_fence_;
  MeasuredTime steal_;
};

extern constinit MeasuredCosts measured_costs;

}  // namespace furca::detail
