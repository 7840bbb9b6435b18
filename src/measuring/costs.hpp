// Costs on this machine, measured, since machines differ tenfold; and what follows from them.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/fence_tuning.hpp>

#include "backoff.hpp"
#include "step_costs.hpp"
#include "waking.hpp"

#include <algorithm>
#include <atomic>

namespace furca::detail {

/// In nanoseconds. Hints: a wrong one makes furca slower, never wrong. The values here are those of
/// a machine of which nothing is known. What its functions say was a constant once, right for one
/// machine.
struct Costs {
  float clock = 15;             // to read ticks()
  float fence = 8;              // a full one, of one thread
  float pause = 20;             // between two looks at a word that another thread may write
  float yield = 500;            // with nobody else to run
  float heavy_fence = 2'000;    // on behalf of all threads, while others run
  float steal = 500;            // of a fork: some cache lines come from another processor
  float wake = 5'000;           // a thread, to its waker
  float wake_latency = 10'000;  // until it looks for work

  /// Microseconds of a loop between two looks at the clock, the deque and the stop word, so that
  /// looking takes 2 % of the time.
  float chunk() const noexcept;

  /// Microseconds of a loop, from which on it is worth another thread's while: it then costs that
  /// thread a steal, and this one a wait for the end of what was stolen, which comes by twice as
  /// many cache lines. Half of the loop is to be as long as that; but 1.5 at least, below which no
  /// machine gained.
  float sharing() const noexcept;

  /// Pops with a fence that a deque's owner makes after a thief was there, before it tries to do
  /// without: as many as take twice as long as the heavy fence that the next thief would need, one
  /// for each of the two (the ski-rental rule). And within how much time without fences those
  /// cannot have saved what it costs. After an answer, which takes a few lines' ways: as many as a
  /// thief asks.
  FenceTuning fence_tuning() const noexcept;

  /// Microseconds that an idle thread looks for work before it sleeps: at most as long as it takes
  /// to fall asleep and to be woken again (the same rule).
  float looking() const noexcept;

  /// Looks for so many microseconds: for three quarters of the time with pauses between them, for
  /// the rest with yields.
  Backoff backoff(float microseconds) const noexcept;
};

/// So many times Costs::sharing() is worth a wake-up while it is not known what that costs.
inline constexpr float kUnmeasuredWaking = 6;

/// The costs that one process has measured so far, and what loops ask for, which follows from them.
/// Any thread.
class MeasuredCosts {
 public:
  /// Measures what one thread can, in some ten microseconds; at the first call only.
  void measure() noexcept;

  /// On the way: a heavy fence, or a steal, took so many ticks.
  void heavy_fence_took(float ticks) noexcept { heavy_fence_.learn(ticks); }
  void steal_took(float ticks) noexcept;

  // Costs::chunk() and sharing(), in ticks.
  float chunk_ticks() const noexcept { return chunk_.load(std::memory_order_relaxed); }
  float sharing_ticks() const noexcept { return sharing_.load(std::memory_order_relaxed); }

  /// As far as they are known. The cost of a wake-up is known to each pool.
  Costs get(const WakeLatency* wakes = nullptr) const noexcept;

  /// For tests: those of another machine, from here on.
  void pretend(const Costs& costs) noexcept;

 private:
  void tune_loops() noexcept;

  MeasuredTime clock_;
  MeasuredTime fence_;
  MeasuredTime pause_;
  MeasuredTime yield_;
  MeasuredTime heavy_fence_;
  MeasuredTime steal_;
  // in a line of their own, since all threads read them
  alignas(kCacheLine) std::atomic<float> chunk_{0};  // ticks
  std::atomic<float> sharing_{0};
};

extern constinit MeasuredCosts measured_costs;

extern constinit std::atomic<float> clock_rate;

/// As ticks_per_microsecond(), without a call; 0 before that was first called.
inline float known_ticks_per_microsecond() noexcept {
  return clock_rate.load(std::memory_order_relaxed);
}

/// That many steps took so many ticks: for each, and no less than the clock can tell.
inline float cost_of_step(std::uint64_t ticks, std::uint64_t steps) noexcept {
  return std::max(static_cast<float>(ticks) / static_cast<float>(steps), kLeastCost);
}

/// Going by what a step cost before, these are not worth another thread's while, and hardly worth
/// looking at a clock.
inline bool known_to_be_short(float step_cost, std::uint64_t steps) noexcept {
  return step_cost > 0 && static_cast<float>(steps) * std::max(step_cost, kLeastCost) <=
                              measured_costs.sharing_ticks();
}

/// Going by what a step cost before, these are through in a millisecond. Then a worker that is
/// alone needs no chunks, if nobody waits for one to end: what is known may be wrong a
/// thousandfold, where the body is a function pointer, or has had little data before and has much
/// now.
inline bool known_to_end_soon(float step_cost, std::uint64_t steps) noexcept {
  return step_cost > 0 && static_cast<float>(steps) * std::max(step_cost, kLeastCost) <=
                              1'000 * known_ticks_per_microsecond();
}

}  // namespace furca::detail
