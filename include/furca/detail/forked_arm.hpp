// An arm of a join as a job: what a thief calls, and the result that it leaves.
#pragma once

#include <furca/detail/worker.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// How a thief gets at an arm. A small temporary is copied: the forker's own then never leaves its frame, and the compiler
/// keeps its captures in registers. Everything else is pointed to; what the arm changes in a named callable stays visible.
template <class F>
inline constexpr bool kCopiedForThief = std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 64;
template <class F>
inline constexpr bool kCopiedForThief<F&> = false;
template <class R>
inline constexpr bool kCopiedForThief<R()> = false;
template <class R>
inline constexpr bool kCopiedForThief<R() noexcept> = false;

/// What join returns for an arm, before void is left out.
template <class Arm>
using ResultOf = std::invoke_result_t<Arm>;

/// Calls the arm that `arm` points to. Out of line, and the same for a thief and while furca observes itself: each arm is compiled twice, here and in the
/// frame that forks.
template <class F>
ResultOf<F> call_arm(const void* arm) {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_function_v<Callable>) {
    return reinterpret_cast<Callable*>(const_cast<void*>(arm))();
  } else {
    return std::forward<F>(*static_cast<Callable*>(const_cast<void*>(arm)))();
  }
}

template <class F>
const void* address_of(std::remove_reference_t<F>& arm) noexcept {
  return reinterpret_cast<const void*>(std::addressof(arm));
}

/// A forked arm, as far as its result tells what it is.
template <class R>
class ForkedResult : public ForkedJob {
 public:
  using Value = std::conditional_t<std::is_void_v<R>, Unit, R>;

  Outcome<Value> outcome;

  /// The forker: a thief has it; waits, and returns its result or throws what it threw.
  FURCA_COLD Value collect(Worker& self) {
    self.wait(latch);
    return outcome.take();
  }

 protected:
  using ForkedJob::ForkedJob;
  ~ForkedResult() = default;

  [[gnu::noinline]] JobEnd run(Worker& thief, R (*call)(const void* arm), const void* arm) noexcept {
    return thief.run_forked(latch, [&] { outcome.fill([&]() -> Value { return detail::call(call, arm); }); });
  }
};

template <class F>
class ForkedArm : public ForkedResult<ResultOf<F>> {
  using Callable = std::remove_reference_t<F>;
  using Held = std::conditional_t<kCopiedForThief<F>, Callable, Callable*>;

 public:
  explicit ForkedArm(Callable& callable) noexcept : ForkedResult<ResultOf<F>>(&run_stolen), held_(hold(callable)) {}

 private:
  static Held hold(Callable& callable) noexcept {
    if constexpr (kCopiedForThief<F>) {
      return callable;
    } else {
      return std::addressof(callable);
    }
  }

  static JobEnd run_stolen(Job& job, Worker& thief, bool) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    if constexpr (kCopiedForThief<F>) {
      return self.run(thief, &call_arm<F>, std::addressof(self.held_));
    } else {
      return self.run(thief, &call_arm<F>, detail::address_of<F>(*self.held_));
    }
  }

  Held held_;
};

}  // namespace furca::detail
