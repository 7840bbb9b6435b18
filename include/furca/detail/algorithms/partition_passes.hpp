// Partitioning in place: blocks by themselves, and then what lies on the wrong side of the boundary
// changes places with what lies on the other.
//
// Blocks depend on the size alone, and the i-th that is wrong on the left changes with the i-th
// that is wrong on the right: so the order of the elements depends on the range alone, and not on
// the threads. Within a block the same is done with elements: lists of what is wrong are made
// without branches (Edelkamp, Weiss: BlockQuicksort, ESA 2016).
#pragma once

#include <furca/detail/algorithms/marks.hpp>
#include <furca/detail/algorithms/pack_passes.hpp>
#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/large_memory.hpp>

namespace furca::detail {

/// Elements that change places: [left, left + count) and [right, right + count).
struct Exchange {
  std::size_t left;
  std::size_t right;
  std::size_t count;
};

template <class I>
void exchange(I begin, const Exchange& both) {
  for (std::size_t i = 0; i < both.count; ++i) {
    std::ranges::iter_swap(detail::plus(begin, both.left + i), detail::plus(begin, both.right + i));
  }
}

/// Brings the elements of a block that `answers` hold for to its front; there are `count`.
template <class I>
void partition_block(I begin, std::size_t lo, std::size_t length, const unsigned char* answers,
                     std::size_t count) {
  if (count == 0 || count == length) return;
  if constexpr (std::contiguous_iterator<I> && kCheapToCopy<std::iter_value_t<I>>) {
    // All before the first that is wrong stay; from there each changes places with the first that
    // the predicate does not hold for, if it holds for it (Lomuto's partition, without a branch).
    auto* const x = std::to_address(begin) + lo;
    std::size_t done = 0;
    while (answers[done] != 0) ++done;
    for (std::size_t i = done; done < count; ++i) {
      const std::iter_value_t<I> here = x[i];
      x[i] = x[done];
      x[done] = here;
      done += answers[i];
    }
  } else {
    Positions wrong_left;
    Positions wrong_right;
    const std::size_t wrong = wrong_left.find<true>(answers, 0, count, 0);
    (void)wrong_right.find(answers, count, length, 0);
    for (std::size_t i = 0; i < wrong; ++i) {
      std::ranges::iter_swap(detail::plus(begin, lo + wrong_left[i]),
                             detail::plus(begin, lo + wrong_right[i]));
    }
  }
}

/// Calls f(Exchange) for all that is to change places: of part k, [begin(k), begin(k + 1)), the
/// first in_front[k] belong in front of `middle`.
template <class Begin, class Count, class F>
void for_exchanges(std::size_t middle, Begin begin, const Count* in_front, F f) {
  std::size_t part = 0;
  std::size_t right = 0;  // [right, right_end): belong in front of the middle, and are behind it
  std::size_t right_end = 0;
  for (std::size_t k = 0; begin(k) < middle; ++k) {
    const std::size_t left_end = std::min(middle, begin(k + 1));
    for (std::size_t left = begin(k) + in_front[k]; left < left_end;) {
      for (; right >= right_end; ++part) {  // there are as many as on the left
        right = std::max(middle, begin(part));
        right_end = begin(part) + in_front[part];
      }
      const std::size_t count = std::min(left_end - left, right_end - right);
      f(Exchange{left, right, count});
      left += count;
      right += count;
    }
  }
}

/// Partitions a range; returns how many satisfy the predicate.
template <Literal name, class X, class R, class Test, class Called = ThrowingCalls>
std::size_t partition_in_place(R& range, Test& test, const SourceLocation& where,
                               Called called = {}) {
  constexpr std::size_t kBlock = Marks::kBlock;
  const auto begin = std::ranges::begin(range);
  const std::size_t n = detail::size_of(range);
  const std::size_t stretch = detail::marked_stretch(n, sizeof(std::ranges::range_value_t<R>));
  Marks marks(stretch);
  std::uint32_t few_counts[Marks::kFew / kBlock] = {};
  Owner<std::uint32_t[]> many_counts;
  std::uint32_t* counts = few_counts;
  std::vector<Exchange> exchanges;
  if (n > Marks::kFew) {  // before anything moves
    many_counts = Owner<std::uint32_t[]>(new std::uint32_t[Marks::blocks_of(n)]);
    counts = many_counts.get();
    exchanges.reserve(Marks::blocks_of(n) + 2);
  }
  const auto partition = [&] {
    std::size_t middle = 0;
    for (std::size_t lo = 0; lo < n; lo += stretch) {
      const std::size_t hi = stretch < n - lo ? lo + stretch : n;
      LoopEnd thrown(hi);
      marks.ask<name, X>(lo, hi, test, thrown, where);
      middle += marks.add_up(hi - lo);
      auto one = [&](std::size_t from, std::size_t to) {
        const std::size_t count = marks.count((from - lo) / kBlock);
        counts[from / kBlock] = static_cast<std::uint32_t>(count);
        detail::partition_block(begin, from, to - from, marks.answers(from - lo), count);
      };
      detail::for_blocks<name>(lo, hi, kBlock, one, where);
    }
    const auto block_begin = [n](std::size_t k) { return std::min(n, k * Marks::kBlock); };
    const auto one = [begin](const Exchange& both) { detail::exchange(begin, both); };
    if (n <= Marks::kFew) {
      detail::for_exchanges(middle, block_begin, counts, one);
    } else {
      detail::for_exchanges(middle, block_begin, counts,
                            [&exchanges](const Exchange& both) { exchanges.push_back(both); });
      detail::run_loop_over<name>(exchanges, one, LoopOptions(), where);
    }
    return middle;
  };
  return called(partition);
}

/// Moves all to a copy, in the order that they are to have, and back. Moves do not throw.
template <Literal name, class I>
void partition_by_copy(I begin, std::size_t n, const Marks& marks, std::size_t middle,
                       const SourceLocation& where) {
  using T = std::iter_value_t<I>;
  const RawMemory<T> memory(n);
  T* const sorted = memory.data();
  auto put = [&](std::size_t from, std::size_t to) {
    const unsigned char* const answers = marks.answers(from);
    // where the next goes that the predicate does not hold for, and that it holds for
    std::size_t at[2];
    at[1] = marks.before(from / Marks::kBlock);
    at[0] = middle + from - at[1];
    for (std::size_t i = from; i < to; ++i)
      std::construct_at(sorted + at[answers[i - from]]++,
                        std::ranges::iter_move(detail::plus(begin, i)));
  };
  auto put_back = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      *detail::plus(begin, i) = std::move(sorted[i]);
      std::destroy_at(sorted + i);
    }
  };
  detail::for_blocks<name>(0, n, Marks::kBlock, put, where);
  detail::for_blocks<name>(0, n, Marks::kBlock, put_back, where);
}

/// Partitions a range and keeps the order on both sides, by way of a copy. All are asked before any
/// is moved. If moves may throw, the caller makes them, one by one.
template <Literal name, class X, class R, class Test>
std::size_t partition_stably(R& range, Test& test, const SourceLocation& where) {
  using T = std::ranges::range_value_t<R>;
  const auto begin = std::ranges::begin(range);
  const std::size_t n = detail::size_of(range);
  if (n == 0) return 0;
  Marks marks(n);
  LoopEnd thrown(n);
  marks.ask<name, X>(0, n, test, thrown, where);
  const std::size_t middle = marks.add_up(n);
  if (middle == 0 || middle == n) return middle;
  if constexpr (!(std::is_nothrow_constructible_v<T, std::ranges::range_rvalue_reference_t<R>> &&
                  std::is_nothrow_assignable_v<std::ranges::range_reference_t<R>, T&&>)) {
    std::vector<T> others;
    others.reserve(n - middle);
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      auto&& element = std::ranges::iter_move(detail::plus(begin, i));
      if (*marks.answers(i) == 0) {
        others.push_back(std::forward<decltype(element)>(element));
      } else if (at++ != i) {
        *detail::plus(begin, at - 1) = std::forward<decltype(element)>(element);
      }
    }
    for (T& element : others) *detail::plus(begin, at++) = std::move(element);
    return middle;
  } else {
    detail::partition_by_copy<name>(begin, n, marks, middle, where);
    return middle;
  }
}

}  // namespace furca::detail
