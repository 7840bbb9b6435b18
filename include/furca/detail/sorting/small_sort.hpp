// Sorting a few elements; and heap sort, for as many as a caller insists on who makes all pivots
// bad.
//
// A few elements are sorted without branches that could be guessed wrong: groups of four by
// networks, which are merged from both ends at once, so that there are two independent chains of
// comparisons (van den Hoven, quadsort). Of elements that are not small, numbers are sorted so; it
// takes fewer comparisons than insertion, too.
// Whatever a comparison says or throws, all elements stay in the range: groups and merges go to
// other memory, and elements move only if all went well; heap sort swaps.
#pragma once

#include <furca/detail/sorting/ordering.hpp>

#include <numeric>

namespace furca::detail {

/// Up to so many are a few.
inline constexpr std::size_t kFewToSort = 32;

/// Makes an element of what another one is; both stay as bytes.
template <class T, class I>
FURCA_INLINE inline void put(T* to, I from) {
  std::construct_at(to, std::ranges::iter_move(from));
}

/// a for 1, b for 0.
FURCA_INLINE inline std::size_t either(std::size_t which, std::size_t a, std::size_t b) noexcept {
  return b ^ ((a ^ b) & (std::size_t{0} - which));
}

/// Sorts two to four elements into other memory; each gets there once, whatever the comparisons
/// say.
template <class I, class T, class Less>
FURCA_INLINE inline void sort_group(I first, std::size_t n, T* to, const Less& less) {
  const auto before = [&](std::size_t i, std::size_t j) {
    return detail::unpredictable(less(*detail::plus(first, i), *detail::plus(first, j)));
  };
  const auto put = [&](std::size_t place, std::size_t i) {
    detail::put(to + place, detail::plus(first, i));
  };
  const std::size_t a = before(1, 0);
  const std::size_t b = 1 - a;
  if (n == 2) {
    put(0, a);
    put(1, b);
  } else if (n == 3) {
    const std::size_t a_second = before(2, a);
    const std::size_t b_last = before(2, b) | a_second;  // also if the two answers do not fit
    const std::size_t other = detail::either(a_second, a, 2);
    put(0, detail::either(a_second, 2, a));
    put(1, detail::either(b_last, other, b));
    put(2, detail::either(b_last, b, other));
  } else {
    const std::size_t c = 2 + before(3, 2);
    const std::size_t d = 5 - c;
    const std::size_t c_first = before(c, a);
    const std::size_t b_last = before(d, b);
    const std::size_t left = detail::either(c_first, a, detail::either(b_last, c, b));
    const std::size_t right = detail::either(b_last, d, detail::either(c_first, b, c));
    const std::size_t swapped = before(right, left);
    put(0, detail::either(c_first, c, a));
    put(1, detail::either(swapped, right, left));
    put(2, detail::either(swapped, left, right));
    put(3, detail::either(b_last, b, d));
  }
}

/// Merges [from, from + n / 2) and the rest of n elements, both sorted, into `to`: the lower half
/// of the result from the front, and at the same time the upper one from the back. Returns whether
/// all got there, once: not if `less` is no order.
template <class T, class Less>
FURCA_INLINE inline bool merge_from_both_ends(T* from, std::size_t n, T* to, const Less& less) {
  const std::size_t half = n / 2;
  std::size_t left = 0;
  std::size_t right = half;
  std::size_t left_last = half - 1;
  std::size_t right_last = n - 1;
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t in_right = detail::unpredictable(less(from[right], from[left]));
    detail::put(to + i, from + detail::either(in_right, right, left));
    right += in_right;
    left += 1 - in_right;
    const std::size_t in_left = detail::unpredictable(less(from[right_last], from[left_last]));
    detail::put(to + (n - 1 - i), from + detail::either(in_left, left_last, right_last));
    left_last -= in_left;  // wraps around below 0, and is not read then
    right_last -= 1 - in_left;
  }
  if (n % 2 != 0) {
    const std::size_t in_right = left == left_last + 1 ? 1 : 0;
    detail::put(to + half, from + detail::either(in_right, right, left));
    right += in_right;
    left += 1 - in_right;
  }
  return left == left_last + 1 && right == right_last + 1;
}

/// Sorts n elements into `to`, by way of `spare`. Returns whether all got there.
template <class I, class T, class Less>
bool sort_into(I first, std::size_t n, T* to, T* spare, const Less& less) {
  if (n <= 4) {
    detail::sort_group(first, n, to, less);
    return true;
  }
  const std::size_t half = n / 2;
  const bool whole = detail::sort_into(first, half, spare, to, less);
  return detail::sort_into(detail::plus(first, half), n - half, spare + half, to + half, less) &&
         whole && detail::merge_from_both_ends(spare, n, to, less);
}

/// Moves elements to where they belong: number order[i] to place i. Changes `order`.
template <class I>
void put_in_order(I first, std::size_t n, unsigned char* order) {
  for (std::size_t i = 0; i < n; ++i) {
    if (order[i] == i) continue;
    Gap<I> gap(detail::plus(first, i));
    for (std::size_t k = i;;) {
      const std::size_t from = std::exchange(order[k], static_cast<unsigned char>(k));
      if (from == i) break;
      gap.fill_from(detail::plus(first, from));
      k = from;
    }
    gap.close();
  }
}

/// Sorts at most kFewToSort elements; of those that are not small first their numbers.
template <class I, class Less>
void sort_few(I first, std::size_t n, const Less& less) {
  using T = std::iter_value_t<I>;
  if (n < 2) return;
  if constexpr (kSmall<T>) {
    alignas(T) std::byte rooms[2][sizeof(T) * kFewToSort];
    T* const sorted = reinterpret_cast<T*>(rooms[0]);
    if (!detail::sort_into(first, n, sorted, reinterpret_cast<T*>(rooms[1]), less)) return;
    for (std::size_t i = 0; i < n; ++i) *detail::plus(first, i) = std::move(sorted[i]);
  } else {
    unsigned char rooms[3][kFewToSort];
    std::iota(rooms[0], rooms[0] + n, static_cast<unsigned char>(0));
    const auto less_at = [&](unsigned char a, unsigned char b) {
      return less(*detail::plus(first, a), *detail::plus(first, b));
    };
    if (detail::sort_into(rooms[0] + 0, n, rooms[1] + 0, rooms[2] + 0, less_at))
      detail::put_in_order(first, n, rooms[1]);
  }
}

/// Sorts with at most 2 n log2 n comparisons, whatever they say.
/// Williams: Algorithm 232, Heapsort, CACM 1964.
template <class I, class Less>
void heap_sort(I first, std::size_t n, const Less& less) {
  const auto sift = [&](std::size_t i, std::size_t end) {
    while (2 * i + 1 < end) {
      std::size_t child = 2 * i + 1;
      if (child + 1 < end && less(*detail::plus(first, child), *detail::plus(first, child + 1)))
        ++child;
      if (!less(*detail::plus(first, i), *detail::plus(first, child))) return;
      std::ranges::iter_swap(detail::plus(first, i), detail::plus(first, child));
      i = child;
    }
  };
  for (std::size_t i = n / 2; i > 0; --i) sift(i - 1, n);
  for (std::size_t end = n; end > 1; --end) {
    std::ranges::iter_swap(first, detail::plus(first, end - 1));
    sift(0, end - 1);
  }
}

}  // namespace furca::detail
