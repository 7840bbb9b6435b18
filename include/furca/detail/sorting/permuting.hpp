// Reversing and rotating in place.
#pragma once

#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/sorting/merging.hpp>

namespace furca::detail {

/// The size of elements that are moved as memory; else 0.
template <class I>
inline constexpr std::size_t kMovedBytes = 0;
template <class T>
  requires std::is_trivially_copyable_v<T>
inline constexpr std::size_t kMovedBytes<T*> = sizeof(T);

/// Of the n elements from `begin` on.
template <Literal name, class I>
void reverse_all(I begin, std::size_t n, const SourceLocation& where) {
  const auto swap = [begin, n](std::size_t i) {
    std::ranges::iter_swap(detail::plus(begin, i), detail::plus(begin, n - 1 - i));
  };
  detail::for_positions<name, 2 * kMovedBytes<I>>(n / 2, swap, where);
}

/// Exchanges [begin, begin + left) and what is behind it, of n elements: each part is reversed,
/// then all. Rejected: to move each element where it belongs, along the cycles of the rotation.
/// That is half of the moves, but where the lengths have no common divisor it is one chain, whose
/// links are far apart.
template <Literal name, class I>
void rotate_all(I begin, std::size_t left, std::size_t n, const SourceLocation& where) {
  if (left == 0 || left == n) return;
  const I middle = detail::plus(begin, left);
  if constexpr (kMovedBytes<I> != 0) {
    if (detail::takes_a_moment(n, kMovedBytes<I>))
      return (void)std::rotate(begin, middle, detail::plus(begin, n));
  }
  detail::fork_both([&] { detail::reverse_all<name>(begin, left, where); },
                    [&] { detail::reverse_all<name>(middle, n - left, where); }, where);
  detail::reverse_all<name>(begin, n, where);
}

}  // namespace furca::detail
