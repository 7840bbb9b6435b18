// Stable sorting by merging: halves are sorted in parallel, and merged to and fro between the range
// and a buffer of the same size.
//
// Nothing throws across a join: what a comparison throws is returned, and whoever sorts or merges
// leaves all elements of its part in the one place where they are expected, in some order. So the
// call finds them in the range when it throws.
// Elements that are plain memory begin as groups of four, sorted by five comparisons and no branch,
// and are merged in place of insertion sorts. Source: Lukas Bergdoll, Orson Peters: driftsort,
// 2024.
// Checked by: tests/algorithms/stable_sort_test.cpp
#pragma once

#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/small_sort.hpp>

#include <bit>
#include <exception>

namespace furca::detail {

/// Sorted by comparisons that choose where to copy from; a copy that is thrown away is as good as
/// none.
template <class I>
inline constexpr bool kSortedByCopies =
    std::is_pointer_v<I> && kPlain<std::iter_value_t<I>> &&
    std::is_copy_constructible_v<std::iter_value_t<I>> &&
    std::is_copy_assignable_v<std::iter_value_t<I>> && sizeof(std::iter_value_t<I>) <= 64;

/// Sorts four elements; `to` may be `from`. Whatever the comparison says, the four come out. A
/// throw leaves them where they were.
template <class T, class Before>
void sort_four(T* from, T* to, Before& before) {
  alignas(T) std::byte room[4 * sizeof(T)];
  T* const sorted = reinterpret_cast<T*>(room);
  const auto less = [&before](T& a, T& b) {
    return before(__builtin_addressof(a), __builtin_addressof(b));
  };
  detail::sort_group(from, 4, sorted, less);
  std::copy(sorted, sorted + 4, to);
}

/// Merges pairs of runs of k elements. Where the comparison is no order, the two ends of a merge
/// may not meet: then the pair is copied as it is. A throw leaves all elements where they were.
template <std::size_t kPairs, class T, class Before>
void merge_pairs(T* from, T* to, std::size_t k, Before& before) {
  using Pair = Merge<T*, T*, T*>;
  const auto pair = [=](std::size_t i) {
    T* const a = from + 2 * k * i;
    return Pair{a, a + k, a + k, a + 2 * k, to + 2 * k * i, to + 2 * k * (i + 1)};
  };
  const auto check = [=](const Pair& merged, std::size_t i) {
    if (merged.a != merged.a_end || merged.b != merged.b_end) [[unlikely]]
      std::copy(from + 2 * k * i, from + 2 * k * (i + 1), to + 2 * k * i);
  };
  Pair first = pair(0);
  if constexpr (kPairs == 1) {
    for (std::size_t steps = k; steps > 0; --steps) first.both(before, MovePut());
  } else {
    Pair second = pair(1);
    for (std::size_t steps = k; steps > 0; --steps) {
      first.both(before, MovePut());
      second.both(before, MovePut());
    }
    check(second, 1);
  }
  check(first, 0);
}

/// Sorts a power of two, from 4 on, by going to and fro; `over`: they are to end in `there`.
template <class T, class Before>
FURCA_NOINLINE std::exception_ptr sort_by_copies(T* here, T* there, std::size_t n, bool over,
                                                 const Before& goes_before) {
  const Before before = goes_before;
  T* const target = over ? there : here;
  T* from = here;
  // as many merges follow as n has factors of two above four
  T* to = (std::countr_zero(n) % 2 == 0) == over ? there : here;
  try {
    for (std::size_t i = 0; i < n; i += 4) detail::sort_four(from + i, to + i, before);
    from = to;
    for (std::size_t k = 4; k < n; k *= 2) {
      to = from == here ? there : here;
      if (4 * k <= n) {
        for (std::size_t i = 0; i < n; i += 4 * k)
          detail::merge_pairs<2>(from + i, to + i, k, before);
      } else {
        detail::merge_pairs<1>(from, to, k, before);
      }
      from = to;
    }
    return nullptr;
  } catch (...) {
    if (from != target) std::copy(from, from + n, target);
    return std::current_exception();
  }
}

/// Sorts a few elements where they are, by insertion: a place is looked for before anything moves.
template <class I, class Before>
FURCA_NOINLINE std::exception_ptr sort_by_insertion(I begin, std::size_t n,
                                                    const Before& goes_before) {
  const Before before = goes_before;
  std::size_t place = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const I one = detail::plus(begin, i);
    try {
      if (!before(one, one - 1)) continue;
      place = detail::first_without(
          0, i - 1, [&](std::size_t k) { return !before(one, detail::plus(begin, k)); });
    } catch (...) {
      return std::current_exception();
    }
    std::iter_value_t<I> element = std::ranges::iter_move(one);
    std::ranges::move_backward(detail::plus(begin, place), one, detail::plus(begin, i + 1));
    *detail::plus(begin, place) = std::move(element);
  }
  return nullptr;
}

/// Elements in `here` are sorted into `here` or `there`; both hold objects.
template <class Here, class There, class Before>
class MergeSort {
 public:
  MergeSort(Here here, There there, std::size_t n, const Before& before,
            const SourceLocation& where)
      : here_(here), there_(there), before_(before), where_(where), failed_(n) {}

  /// Sorts n elements from `lo` on, `over`: into `there`. Returns what a comparison has thrown.
  std::exception_ptr sort(std::size_t lo, std::size_t n, bool over) {
    if (const std::size_t half = length_of_left(n); half > 0)
      return sort_halves(lo, half, n - half, over);
    std::exception_ptr thrown;
    if (failed_.get() < lo) {  // what comes before has thrown: no need to sort
      move_over(lo, n, over);
      return nullptr;
    }
    if constexpr (kByCopies) {
      if (n >= 4 && std::has_single_bit(n)) {
        thrown = detail::sort_by_copies(here_ + lo, there_ + lo, n, over, before_);
        if (thrown) failed_.lower_to(lo);
        return thrown;
      }
    }
    move_over(lo, n, over);
    thrown = over ? detail::sort_by_insertion(detail::plus(there_, lo), n, before_)
                  : detail::sort_by_insertion(detail::plus(here_, lo), n, before_);
    if (thrown) failed_.lower_to(lo);
    return thrown;
  }

 private:
  static constexpr bool kByCopies = std::is_same_v<Here, There> && kSortedByCopies<Here>;
  static constexpr std::size_t kFew = kByCopies ? 7 : 16;
  // with the buffer they are in the innermost cache
  static constexpr std::size_t kMostByCopies = 1'024;
  static constexpr std::size_t kAlone = 1'024;  // so few are sorted by one thread
  // from so many on the left half is any multiple of that
  static constexpr std::size_t kPowers = std::size_t{1} << 13U;

  /// 0: not to be halved. Up to kPowers the left one is a power of two, as sort_by_copies has them.
  static std::size_t length_of_left(std::size_t n) {
    if (n <= kFew || (kByCopies && n <= kMostByCopies && std::has_single_bit(n))) return 0;
    return n <= kPowers ? std::bit_ceil(n) / 2 : (n / kPowers + 1) / 2 * kPowers;
  }

  std::exception_ptr sort_halves(std::size_t lo, std::size_t left, std::size_t right, bool over) {
    std::exception_ptr first;
    std::exception_ptr second;
    if (left + right <= kAlone) {
      first = sort(lo, left, !over);
      second = sort(lo + left, right, !over);
    } else {
      detail::fork_both([&, this] { first = sort(lo, left, !over); },
                        [&, this] { second = sort(lo + left, right, !over); }, where_);
    }
    if (!first && !second && failed_.get() >= lo) {
      first = over ? merge(here_, there_, lo, left, right) : merge(there_, here_, lo, left, right);
      if (first) failed_.lower_to(lo);
      return first;
    }
    if (over) {
      move(here_, there_, lo, left + right);
    } else {
      move(there_, here_, lo, left + right);
    }
    return first ? first : second;
  }

  template <class From, class To>
  std::exception_ptr merge(From from, To to, std::size_t lo, std::size_t left, std::size_t right) {
    const auto runs = detail::runs_of(detail::plus(from, lo), left, detail::plus(from, lo + left),
                                      right, detail::plus(to, lo), left + right);
    return detail::merge_runs(runs, before_, MovePut(), where_);
  }

  template <class From, class To>
  static void move(From from, To to, std::size_t lo, std::size_t n) {
    (void)MovePut().all(detail::plus(from, lo), detail::plus(from, lo + n), detail::plus(to, lo));
  }
  void move_over(std::size_t lo, std::size_t n, bool over) {
    if (over) move(here_, there_, lo, n);
  }

  const Here here_;
  const There there_;
  const Before before_;
  const SourceLocation& where_;
  LoopEnd failed_;  // the first element of what has thrown
};

}  // namespace furca::detail
