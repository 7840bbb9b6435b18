// A parallel loop as the library sees it: so many steps, and functions that run a stretch of them.
// Compiled once, in the library (src/loop/loop.cpp), it calls a body by pointer, a chunk at a time.
#pragma once

#include <furca/detail/base/inner_loop.hpp>
#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/loop_options.hpp>
#include <furca/stop_token.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace furca::detail {

class ObservedCall;
class Worker;

/// A small F, where a const one is called as F is, and returns the same: with two call operators of
/// different types it does not.
template <class F, class... Args>
concept HeldByValue =
    !std::is_function_v<F> && std::is_trivially_copyable_v<F> && std::copy_constructible<F> &&
    sizeof(F) <= 256 && std::invocable<F&, Args...> && std::invocable<const F&, Args...> &&
    std::same_as<std::invoke_result_t<F&, Args...>, std::invoke_result_t<const F&, Args...>>;

/// How an inner loop holds the user's callable: a copy where that can make no difference, so that
/// the compiler knows that no store of the loop changes what was captured (y[i] += a * x[i] would
/// load a again and again); else a reference. The copy is const: a callable that has a call
/// operator for const objects, and another one that returns the same, is called by the former.
template <class F, class... Args>
using Held = std::conditional_t<HeldByValue<F, Args...>, std::add_const_t<F>, F&>;

/// Where a loop ends: its length, or the lowest step that threw. Steps below it run, whatever
/// happened above.
class FURCA_API LoopEnd {
 public:
  explicit LoopEnd(std::uint64_t steps) noexcept : end_(steps) {}

  std::uint64_t get() const noexcept { return end_.read(); }

  /// A body threw at `step`.
  FURCA_COLD void lower_to(std::uint64_t step) noexcept;

 private:
  SeamRelaxed<std::uint64_t> end_;
};

/// What a loop does with a stretch of its steps. Each thread has one of its own, if parts have
/// results; else all share one.
template <class P>
concept LoopPart = requires(P part, LoopEnd& end, std::uint64_t step) {
  // runs steps [lo, hi); if one throws, tells `end` which, and throws on
  part.run(step, step, end);
};

/// Room for a thief's part (results.hpp).
struct PartRoom;

/// What Loop needs to know of parts of one type. The three after `run` are null for parts that
/// have no results: threads share one of those.
struct PartFunctions {
  void (*run)(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end);
  void* (*fresh)(const void* sibling, PartRoom& room);  // makes one, there if it fits
  // `right` is destroyed then, also if this throws
  void (*absorb)(void* part, void* right);
  void (*drop)(void* part) noexcept;  // destroys it

  /// For what is observed; no SourceLocation in the library: compilers differ in what that is.
  SourceSite (*site)(const void* where) noexcept;

  /// The cost of a step in any thread's calls, in ticks, within a factor of two; 0: never run.
  /// Where a worker begins that has not run such a loop yet (StepCosts). Hardly ever written.
  mutable Relaxed<float> cost{};

  /// A call of at most so many steps needs no look at a clock: together they are not worth sharing,
  /// and each takes less than a branch, so vectors go through them and none takes longer than
  /// others. 0: not known. Asked by libc++'s algorithms alone (plugs/libcxx_every.hpp).
  mutable Relaxed<std::uint32_t> vector_steps{};
};

template <LoopPart Part>
FURCA_INNER_LOOP void run_steps(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
  static_cast<Part*>(part)->run(lo, hi, end);
}

/// Of parts without results. Others: results.hpp.
template <LoopPart Part>
struct FunctionsOf {
  static_assert(!requires(const Part& part) { part.fresh(); }, "results.hpp is not included");

  template <Literal name, class Location>
  static constexpr PartFunctions of() {
    return {&run_steps<Part>, nullptr, nullptr, nullptr, &site_of<name, Location>};
  }
};

/// `name`: what the loop is called where furca observes itself.
template <LoopPart Part, Literal name, class Location = SourceLocation>
inline constexpr PartFunctions kFunctionsOf = FunctionsOf<Part>::template of<name, Location>();

/// One parallel loop, in the frame of its caller.
class FURCA_API Loop {
 public:
  /// `grain`: 0 throws std::invalid_argument. `where`: the argument of functions.site().
  Loop(const PartFunctions& functions, std::uint64_t steps, std::size_t grain,
       const StopToken& stop, const void* where) noexcept
      : functions_(functions),
        steps_(steps),
        grain_(grain == automatic_grain ? 1 : grain),
        stop_(stop.stop_possible() ? &stop : nullptr),
        end_(steps),
        where_(where) {}

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Somebody besides a stop token waits for chunks to end: a Progress, which the part adds them
  /// to, or who may cancel the part.
  Loop& watched(bool is) noexcept {
    watched_ = is;
    return *this;
  }

  /// Each step may wait for all others, as in oneTBB's loops of no more steps than threads: all can
  /// be stolen before the first one runs, whatever they cost before.
  Loop& apart(bool is) noexcept {
    apart_ = is;
    return *this;
  }

  /// Runs all steps into `part`, which has nothing in it yet, and into others that it absorbs.
  void run(void* part);

 private:
  class Half;
  class Laying;
  class PlacedPortion;
  struct Walk;

  bool stopped() const noexcept { return stop_ != nullptr && stop_->stop_requested(); }
  void remember(Worker& self) noexcept;
  void learn(Worker& self, float seen) noexcept;
  void learn_vector_steps(float seen) noexcept;
  FURCA_COLD void attach_and_run(void* part);
  void run_by_cost(Worker& self, void* part);
  FURCA_NOINLINE void run_short(Worker& self, void* part, bool timed);
  FURCA_NOINLINE void walk_from(Worker& self, void* part, float step_cost, std::uint64_t lo);

  const PartFunctions& functions_;
  const std::uint64_t steps_;
  const std::uint64_t grain_;
  const StopToken* const stop_;
  LoopEnd end_;
  const void* const where_;
  ObservedCall* observed_ = nullptr;
  std::uint64_t remembered_as_ = 0;  // StepCosts::key
  std::uint32_t depth_ = 0;          // how many loops its caller is in
  float cost_before_ = 0;            // ticks for a step in the calls before this one; 0: not known
  bool watched_ = false;
  bool apart_ = false;
};

}  // namespace furca::detail
