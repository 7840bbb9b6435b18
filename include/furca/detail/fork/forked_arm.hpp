// An arm of a join as a job: what a thief calls, and the result that it leaves.
#pragma once

#include <furca/detail/fork/forks.hpp>
#include <furca/detail/fork/passed_arm.hpp>

#include <type_traits>

namespace furca::detail {

/// Calls the arm that `arm` points to. Out of line, and the same for a thief and while furca
/// observes itself: each arm is compiled twice, here and in the frame that forks.
template <class F>
ResultOf<F> call_arm(const void* arm) {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_function_v<Callable>) {
    return reinterpret_cast<Callable*>(const_cast<void*>(arm))();
  } else {
    return detail::run_arm<F>(*static_cast<Callable*>(const_cast<void*>(arm)));
  }
}

/// A forked arm, as far as its result tells what it is.
template <class R>
class ForkedResult : public ForkedJob {
 public:
  using Value = std::conditional_t<std::is_void_v<R>, Unit, R>;

  /// The forker: a thief has it; waits, and returns its result or throws what it threw.
  FURCA_COLD Value collect(Forks& self) {
    self.wait(latch);
    return outcome_.get();
  }

  /// As collect(), but the result is not wanted. After wait().
  void discard() noexcept { outcome_.discard(); }

 protected:
  using ForkedJob::ForkedJob;
  ~ForkedResult() = default;

  FURCA_NOINLINE JobEnd run(Worker& thief, R (*call)(const void* arm), const void* arm) noexcept {
    return run_by(thief,
                  [&] { outcome_.fill([&]() -> Value { return detail::call(call, arm); }); });
  }

  Outcome<Value> outcome_;
};

template <class F>
class ForkedArm : public ForkedResult<ResultOf<F>> {
 public:
  explicit ForkedArm(std::remove_reference_t<F>& arm) noexcept
      : ForkedResult<ResultOf<F>>(&run_stolen), held_(arm) {}

  /// The forker, which has taken it back. What it needs is read from the job again: a register that
  /// kept it while the arm before ran would have to be saved in every frame.
  FURCA_INLINE ResultOf<F> run_here() {
    auto&& arm = held_.get();
    return detail::run_arm<F>(arm);
  }

 private:
  static JobEnd run_stolen(Job& job, Worker& thief, bool) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    auto&& arm = self.held_.get();
    return self.run(thief, &call_arm<F>, detail::address_of<F>(arm));
  }

  HeldArm<F> held_;
};

}  // namespace furca::detail
