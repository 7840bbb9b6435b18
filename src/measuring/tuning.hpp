// The tuning that follows from the costs on this machine.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include "backoff.hpp"
#include "costs.hpp"

#include <atomic>
#include <cstdint>

namespace furca::detail {

/// Lengths of time, and rates. Each of these was a constant once, right for one machine.
struct Tuning {
  /// Microseconds of a loop between two looks at the clock, the deque and the stop word, so that
  /// looking takes 2 % of the time.
  float chunk;

  /// Microseconds of a loop, from which on it is worth another thread's while: it then costs that
  /// thread a steal, and this one a wait for the end of what was stolen, which comes by twice as
  /// many cache lines. Half of the loop is to be as long as that; but 1.5 at least, below which no
  /// machine gained.
  float sharing;

  /// Pops with a fence that a deque's owner makes after a thief was there, before it tries to do
  /// without: as many as take twice as long as the heavy fence that the next thief would need, one
  /// for each of the two (the ski-rental rule). And within how much time without fences those
  /// cannot have saved what it costs.
  FenceTuning fence;

  /// Microseconds that an idle thread looks for work before it sleeps: at most as long as it takes
  /// to fall asleep and to be woken again (the same rule).
  float idle;
};

Tuning tuning_for(const Costs& costs) noexcept;

/// The tuning that loops ask for, in ticks. Changed only by so much that it matters, since all
/// threads read it.
class LoopTuning {
 public:
  /// Something was measured.
  void update(const Costs& costs) noexcept;

  float chunk() const noexcept { return chunk_.load(std::memory_order_relaxed); }
  float sharing() const noexcept { return sharing_.load(std::memory_order_relaxed); }

 private:
  std::atomic<float> chunk_{0};
  std::atomic<float> sharing_{0};
};

extern constinit LoopTuning loop_tuning;

/// Measures what one thread can, at the first call only.
void measure_costs() noexcept;

/// A thread has stolen a fork in so many ticks.
void steal_took(float ticks) noexcept;

/// So many looks, for so many microseconds: three quarters of them between pauses, the rest between
/// yields.
SpinLimit spin_limit_for(float microseconds, const Costs& costs) noexcept;

}  // namespace furca::detail
