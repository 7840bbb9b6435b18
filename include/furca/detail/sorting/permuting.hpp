// Reversing and rotating in place.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/sorting/merging.hpp>

namespace furca::detail {

/// Whether the caller alone moves n elements.
template <class I>
bool moved_in_a_moment(std::size_t n) noexcept {
  if constexpr (std::is_pointer_v<I> && std::is_trivially_copyable_v<std::iter_value_t<I>>) {
    return detail::takes_a_moment(n, sizeof(std::iter_value_t<I>));
  } else {
    return false;
  }
}

/// Of the n elements from `begin` on.
template <CallName name, class I>
void reverse_all(I begin, std::size_t n, const SourceLocation& where) {
  if (detail::moved_in_a_moment<I>(n)) {
    std::reverse(begin, detail::plus(begin, n));
    return;
  }
  auto swap = [begin, n](std::size_t i) {
    std::ranges::iter_swap(detail::plus(begin, i), detail::plus(begin, n - 1 - i));
  };
  detail::run_loop<name>(IndexRange<std::size_t>(0, n / 2), swap, LoopOptions(), where);
}

/// Exchanges [begin, begin + left) and what is behind it, of n elements: each part is reversed,
/// then all. Rejected: to move each element where it belongs, along the cycles of the rotation.
/// That is half of the moves, but where the lengths have no common divisor it is one chain, whose
/// links are far apart.
template <CallName name, class I>
void rotate_all(I begin, std::size_t left, std::size_t n, const SourceLocation& where) {
  if (left == 0 || left == n) return;
  const I middle = detail::plus(begin, left);
  if (detail::moved_in_a_moment<I>(n)) {
    std::rotate(begin, middle, detail::plus(begin, n));
    return;
  }
  detail::fork_both([&] { detail::reverse_all<name>(begin, left, where); },
                    [&] { detail::reverse_all<name>(middle, n - left, where); }, where);
  detail::reverse_all<name>(begin, n, where);
}

}  // namespace furca::detail
