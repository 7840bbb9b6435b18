// Accumulators combined by the user's operation, with the same bits wherever it happens.
//
// Compilers may contract a * b + c to one instruction, which rounds once instead of twice. g++
// decides that anew in each place where it inlines a function, and the schedule decides through
// which place an accumulator comes. So such a function is compiled in one place, which all others
// call. What is added to an accumulator is so too: add_blocks in aligned_part.hpp.
// Rejected: -ffp-contract=off. It is the program's to choose, and no function can choose it for
// what is inlined into it.
// Checked by: tests/loop/same_bits_test.cpp
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/inner_loop.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/opaque.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Room for accumulators that lie side by side. Whoever has it makes and destroys them.
template <class T, std::size_t kMost>
union Accumulators {
  Accumulators() noexcept {}  // NOLINT: nothing to initialise
  ~Accumulators() {}          // NOLINT
  T values[kMost];
};

/// Operations on numbers that take a nanosecond or so.
template <class Op, class T>
inline constexpr bool kTakesNanoseconds =
    std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>> ||
    std::is_same_v<Op, std::multiplies<>> || std::is_same_v<Op, std::multiplies<T>> ||
    std::is_same_v<Op, std::bit_and<>> || std::is_same_v<Op, std::bit_or<>> ||
    std::is_same_v<Op, std::bit_xor<>>;

/// One instruction, which is rounded in the same way everywhere.
template <class Op, class T>
inline constexpr bool kOneInstruction =
    std::is_arithmetic_v<T> && kTakesNanoseconds<std::remove_const_t<Op>, T>;

/// Width by width, as the aligned tree has it, from nodes of `width` on. opaque: else loops would
/// be unrolled, or have a copy for two.
template <class T, class Op>
void combine_here(Op& op, T* accumulators, std::size_t n, std::size_t width = 1) {
  for (; width < n; width *= 2) {
    for (std::size_t i = 0; i + width < n; i += 2 * width) {
      T* const left = kOneInstruction<Op, T> ? accumulators + i : detail::opaque(accumulators + i);
      *left = static_cast<T>(detail::invoke(op, std::move(*left), std::move(left[width])));
    }
  }
}

/// Eight along the same tree, in registers.
template <class T, class Op>
T combined_eight(Op& op, const T* x) {
  const auto both = [&op](T a, T b) { return static_cast<T>(detail::invoke(op, a, b)); };
  return both(both(both(x[0], x[1]), both(x[2], x[3])), both(both(x[4], x[5]), both(x[6], x[7])));
}

template <class T, class Op>
FURCA_COMPILED_ONCE void combine_elsewhere(Op& op, T* accumulators, std::size_t n) {
  detail::combine_here(op, accumulators, n);
}

/// Combines n > 0 accumulators that lie side by side along a binary tree, and leaves what they come
/// to in the first one. With n = 2 it is one call of op.
template <class T, class Op>
void combine(Op& op, T* accumulators, std::size_t n) {
  if constexpr (kOneInstruction<Op, T>) {
    std::size_t i = 0;
    for (; n - i >= 8; i += 8) accumulators[i] = detail::combined_eight(op, accumulators + i);
    detail::combine_here(op, accumulators + i, n - i);
    detail::combine_here(op, accumulators, n, 8);
  } else {
    detail::combine_elsewhere(op, accumulators, n);
  }
}

template <class T, class Op>
FURCA_COMPILED_ONCE T combined_elsewhere(Op& op, T left, T right) {
  return static_cast<T>(detail::invoke(op, std::move(left), std::move(right)));
}

/// Two that do not lie side by side: in registers, which is faster where each result is waited for.
template <class T, class Op>
T combined(Op& op, T left, T right) {
  if constexpr (kOneInstruction<Op, T>) {
    return static_cast<T>(detail::invoke(op, std::move(left), std::move(right)));
  } else {
    return detail::combined_elsewhere<T>(op, std::move(left), std::move(right));
  }
}

}  // namespace furca::detail
