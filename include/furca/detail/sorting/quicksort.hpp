// Quicksort and quickselect, in parallel, in place.
//
// Musser: Introspective Sorting and Selection Algorithms, 1997; elements that equal a pivot as in
// Peters: Pattern-defeating Quicksort, arXiv 2106.05123.
// A pivot is a median of medians of three, of more elements the larger the range. If it is not
// greater than the element in front of the range, which was a pivot, those that equal it come to
// the front, and are in place: so k different keys take n log k comparisons. After 2 log2 n levels
// heap sort takes over.
// All decisions depend on the range alone, and so does the order of equal elements.
// Checked by: tests/algorithms/sort_test.cpp
#pragma once

#include <furca/detail/algorithms/first_hit.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/sorting/ordering.hpp>
#include <furca/detail/sorting/permuting.hpp>
#include <furca/detail/sorting/quick_partition.hpp>
#include <furca/detail/sorting/small_sort.hpp>

#include <bit>

namespace furca::detail {

/// `name`: of what it is a part of.
template <Literal name, class I, class Less>
class Quicksort {
 public:
  Quicksort(const Less& less, const SourceLocation& where) noexcept : less_(less), where_(where) {}

  /// Sorts n elements.
  void sort(I first, std::size_t n) const {
    if (n <= kFewToSort) return detail::sort_few(first, n, less_);
    const bool falls = less_(first[1], first[0]);
    const auto breaks = [first, falls, less = less_](std::size_t i) {
      return less(*at(first, i + 1), *at(first, i)) != falls;
    };
    // One by one: no vectors come of blocks of such answers (sorted numbers took 1.6 times as
    // long).
    if (detail::first_hit<name, void>(n - 1, breaks, where_) < n - 1)
      return sort(first, n, false, levels_for(n));
    if (falls) detail::reverse_all<name>(first, n, where_);
  }

  /// Brings to place `nth`, which is less than n, what would be there if all were sorted, and what
  /// comes before it in front of it.
  void select(I first, std::size_t n, std::size_t nth) const {
    unsigned levels = levels_for(n);
    for (bool bounded = false; n > kFewToSort;) {
      if (levels-- == 0) return detail::heap_sort(first, n, less_);
      const Cut cut = cut_at_pivot(first, n, bounded);
      if (nth < cut.left) {
        n = cut.left;
      } else if (nth < cut.right) {
        return;
      } else {
        first = at(first, cut.right);
        n -= cut.right;
        nth -= cut.right;
        bounded = true;
      }
    }
    detail::sort_few(first, n, less_);
  }

 private:
  using T = std::iter_value_t<I>;
  // elements from which on another thread may take a side
  static constexpr std::size_t kShared = 512;

  /// Elements [left, right) are in place, and those on both sides of them are on the right side.
  struct Cut {
    std::size_t left;
    std::size_t right;
  };

  static I at(I first, std::size_t i) { return detail::plus(first, i); }
  static unsigned levels_for(std::size_t n) noexcept {
    return 2 * static_cast<unsigned>(std::bit_width(n));
  }

  /// `bounded`: no element is less than the one in front of `first`.
  FURCA_COMPILED_ONCE void sort(I first, std::size_t n, bool bounded, unsigned levels) const {
    while (n > kFewToSort) {
      if (levels-- == 0) return detail::heap_sort(first, n, less_);
      const Cut cut = cut_at_pivot(first, n, bounded);
      const I right = at(first, cut.right);
      const std::size_t behind = n - cut.right;
      if (n >= kShared && cut.left > kFewToSort && behind > kFewToSort) {
        detail::fork_both([=, this] { sort(first, cut.left, bounded, levels); },
                          [=, this] { sort(right, behind, true, levels); }, where_);
        return;
      }
      sort(first, cut.left, bounded, levels);
      first = right;
      n = behind;
      bounded = true;
    }
    detail::sort_few(first, n, less_);
  }

  Cut cut_at_pivot(I first, std::size_t n, bool bounded) const {
    if (const I middle = median(first, n); middle != first) std::ranges::iter_swap(first, middle);
    const Stretch<I> others{at(first, 1), n - 1};
    if (bounded && !less_(*(first - 1), *first)) {
      return {
          0, 1 + detail::partition_by_pivot<name, Front::not_behind>(first, others, less_, where_)};
    }
    const std::size_t before =
        detail::partition_by_pivot<name, Front::before>(first, others, less_, where_);
    if (before > 0) std::ranges::iter_swap(first, at(first, before));
    return {before, before + 1};
  }

  /// About the median of n elements: the median of three, each of which is one of an eighth of
  /// them. So it has seen n to the power of 0.53.
  FURCA_COMPILED_ONCE I median(I first, std::size_t n) const {
    const std::size_t eighth = n / 8;
    if (n < 64) return median_of(first, at(first, n / 2), at(first, n - 1));
    return median_of(median(first, eighth), median(at(first, 4 * eighth), eighth),
                     median(at(first, 7 * eighth), eighth));
  }

  I median_of(I a, I b, I c) const {
    const bool ab = less_(*a, *b);
    if (ab != less_(*a, *c)) return a;
    return less_(*b, *c) == ab ? b : c;
  }

  const Less& less_;
  const SourceLocation& where_;
};

}  // namespace furca::detail
