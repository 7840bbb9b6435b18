// An arm of a join as a job: what a thief calls, and the result that it leaves.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/fork/worker.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// The type that join returns for an arm, before void is left out.
template <class Arm>
using ResultOf = std::invoke_result_t<Arm>;

/// A small temporary, which may be copied as often as one likes: whoever runs it runs a copy of his
/// own. Nobody else has the address of that one, so the compiler keeps its captures in registers,
/// in loops too. Everything else is run where it lies: what a named callable changes in itself
/// stays visible, and a reference that an arm returns may be to its own captures.
template <class F>
inline constexpr bool kRunAsCopy =
    std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 64 &&
    !std::is_reference_v<ResultOf<F>>;
template <class F>
inline constexpr bool kRunAsCopy<F&> = false;
template <class R>
inline constexpr bool kRunAsCopy<R()> = false;
template <class R>
inline constexpr bool kRunAsCopy<R() noexcept> = false;

/// Such a one in two registers or less: it gets into the frame that forks in these, and lies for a
/// thief in the job. A larger one stays with the caller.
template <class F>
inline constexpr bool kInRegisters = false;
template <class F>
  requires kRunAsCopy<F>
inline constexpr bool kInRegisters<F> = sizeof(F) <= 2 * sizeof(void*);

template <class F>
FURCA_INLINE inline ResultOf<F> run_arm(std::remove_reference_t<F>& arm) {
  if constexpr (kRunAsCopy<F>) {
    F own(std::as_const(arm));
    return std::forward<F>(own)();
  } else {
    return std::forward<F>(arm)();
  }
}

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
    return outcome.get();
  }

 protected:
  using ForkedJob::ForkedJob;
  ~ForkedResult() = default;

  [[gnu::noinline]] JobEnd run(Worker& thief, R (*call)(const void* arm),
                               const void* arm) noexcept {
    return thief.run_forked(
        latch, [&] { outcome.fill([&]() -> Value { return detail::call(call, arm); }); });
  }
};

/// The part of an arm that its job has: its address, or the arm itself.
template <class F>
class HeldArm {
  using Callable = std::remove_reference_t<F>;

 public:
  explicit HeldArm(Callable& arm) noexcept : arm_(std::addressof(arm)) {}
  Callable& get() const noexcept { return *arm_; }

 private:
  Callable* arm_;
};

template <class F>
  requires(kInRegisters<F> && sizeof(F) != 2 * sizeof(std::uintptr_t))
class HeldArm<F> {
 public:
  explicit HeldArm(const F& arm) noexcept : arm_(arm) {}
  F get() const noexcept { return arm_; }

 private:
  F arm_;
};

/// Two words are written and read one by one, which `volatile` says. g++ would spill both to the
/// stack, read them as one vector and write that here; but a read is not served from two writes
/// that are still on their way to the cache. Each fork would wait for them, for longer than all of
/// it takes.
template <class F>
  requires(kInRegisters<F> && sizeof(F) == 2 * sizeof(std::uintptr_t))
class HeldArm<F> {
 public:
  explicit HeldArm(const F& arm) noexcept {
    std::uintptr_t first;
    std::uintptr_t second;
    std::memcpy(&first, &arm, sizeof first);
    std::memcpy(&second, reinterpret_cast<const std::byte*>(&arm) + sizeof first, sizeof second);
    static_cast<volatile std::uintptr_t&>(first_) = first;
    static_cast<volatile std::uintptr_t&>(second_) = second;
  }

  HeldArm(const HeldArm&) = delete;
  HeldArm& operator=(const HeldArm&) = delete;

  F get() const noexcept {
    const std::uintptr_t first = static_cast<const volatile std::uintptr_t&>(first_);
    const std::uintptr_t second = static_cast<const volatile std::uintptr_t&>(second_);
    Copy copy;
    const auto bytes = reinterpret_cast<std::byte*>(&copy);
    std::memcpy(bytes, &first, sizeof first);
    std::memcpy(bytes + sizeof first, &second, sizeof second);
    return std::as_const(copy.arm);
  }

 private:
  union Copy {
    Copy() noexcept {}
    F arm;
  };

  std::uintptr_t first_;
  std::uintptr_t second_;
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
