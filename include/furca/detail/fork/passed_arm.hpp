// The way of a join's arms and results from frame to frame, as g++ and clang write it best.
// tests/cross/joins_test.py counts what comes of it.
#pragma once

#include <furca/detail/base/opaque.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// The type that join returns for an arm, before void is left out.
template <class Arm>
using ResultOf = std::invoke_result_t<Arm>;

/// A small temporary: whoever runs it runs a copy of his own, whose address nobody else has, so the
/// compiler keeps its captures in registers. Everything else is run where it lies: what a named
/// callable changes in itself stays visible, and a reference that an arm returns may be to its own
/// captures.
template <class F>
concept RunAsCopy =
    std::is_object_v<F> && std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> &&
    sizeof(F) <= 64 && !std::is_reference_v<ResultOf<F>>;

/// Such a one in two registers or less: it gets into the frame that forks in these, and lies for a
/// thief in the job. A larger one stays with the caller.
template <class F>
concept InRegisters = RunAsCopy<F> && sizeof(F) <= 2 * sizeof(void*);

template <class F>
FURCA_INLINE inline ResultOf<F> run_arm(std::remove_reference_t<F>& arm) {
  if constexpr (RunAsCopy<F>) {
    F own(std::as_const(arm));
    return std::forward<F>(own)();
  } else {
    return std::forward<F>(arm)();
  }
}

template <class F>
const void* address_of(std::remove_reference_t<F>& arm) noexcept {
  return reinterpret_cast<const void*>(__builtin_addressof(arm));
}

/// The part of an arm that its job has: its address, or the arm itself.
template <class F>
class HeldArm {
  using Callable = std::remove_reference_t<F>;

 public:
  explicit HeldArm(Callable& arm) noexcept : arm_(__builtin_addressof(arm)) {}
  Callable& get() const noexcept { return *arm_; }

 private:
  Callable* arm_;
};

/// Words are written and read one by one, which `volatile` says. g++ would spill two to the stack
/// and read them as one vector, which no two writes on their way to the cache can serve: each fork
/// would wait for longer than all of it takes.
template <InRegisters F>
class HeldArm<F> {
  static constexpr std::size_t kWords = (sizeof(F) - 1) / sizeof(std::uintptr_t) + 1;

 public:
  explicit HeldArm(const F& arm) noexcept {
    std::uintptr_t words[kWords] = {};
    std::memcpy(words, __builtin_addressof(arm), sizeof arm);
    for (std::size_t i = 0; i < kWords; ++i)
      static_cast<volatile std::uintptr_t&>(words_[i]) = words[i];
  }

  F get() const noexcept {
    std::uintptr_t words[kWords];
    for (std::size_t i = 0; i < kWords; ++i)
      words[i] = static_cast<const volatile std::uintptr_t&>(words_[i]);
    Copy copy;
    std::memcpy(static_cast<void*>(&copy), words, sizeof(F));
    return std::as_const(copy.arm);
  }

 private:
  union Copy {
    Copy() noexcept {}
    F arm;
  };

  std::uintptr_t words_[kWords];
};

/// The number of registers in which an arm is passed.
template <class F>
inline constexpr std::size_t kRegisters = 1;
template <InRegisters F>
inline constexpr std::size_t kRegisters<F> =
    std::is_empty_v<F> ? 0 : (sizeof(F) - 1) / sizeof(void*) + 1;

/// The arms of a join get into its frame in registers, with the worker. If there are too few, their
/// addresses do: clang would build them on the stack, and copy them for the call. g++ inlines the
/// frame of more than two.
template <class... Arms>
#if defined(__clang__)
inline constexpr bool kFit = (kRegisters<Arms> + ...) <= 5;
#else
inline constexpr bool kFit = true;
#endif

/// The way of an arm into the frame that forks.
template <class F, bool kFits = true>
using Passed = std::conditional_t<InRegisters<F> && kFits, F, F&&>;

/// A result that comes from the frame of a join in memory, as one of more than two does. clang
/// would load two at once to add them, and wait for what has just been stored one by one: four arms
/// then took 1.6 times as long (AMD EPYC, family 25, model 17).
template <class R>
FURCA_INLINE inline R&& loaded(std::remove_reference_t<R>& result) noexcept {
#if defined(__clang__)
  if constexpr (OneWord<R>) result = detail::opaque(result);
#endif
  return std::forward<R>(result);
}

}  // namespace furca::detail
