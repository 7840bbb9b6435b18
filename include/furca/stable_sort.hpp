// Stable sorting.
#pragma once

#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/algorithms/searching.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/sorting/merge_sort.hpp>
#include <furca/detail/sorting/permuting.hpp>
#include <furca/detail/sorting/radix_sort.hpp>
#include <furca/write.hpp>

FURCA_DECLARES(stable_sort);

namespace furca::detail {

/// Whether every element goes before the one in front of it.
template <LoopRange R, class Comp, class Proj>
bool falls_throughout(R& range, Comp& comp, Proj& proj, const SourceLocation& where) {
  const auto rises = [](auto& order, const auto& all, std::size_t i) {
    return !all.hold(order, i + 1, i);
  };
  return detail::first_neighbours<"stable_sort">(range, comp, proj, rises, where) + 1 ==
         detail::size_of(range);
}

template <LoopRange R, class Comp, class Proj, class Called = ThrowingCalls>
void sort_stably(R& range, Comp& comp, Proj& proj, const SourceLocation& where,
                 Called called = {}) {
  using T = std::ranges::range_value_t<R>;
  constexpr std::size_t kInserted = 16;
  const std::size_t n = detail::size_of(range);
  const auto begin = detail::first_of(range);
  const auto before = detail::goes_before<R, R>(comp, proj, proj);
  const auto is_done = [&] {
    if (n <= kInserted) return detail::rethrow(detail::sort_by_insertion(begin, n, before)), true;
    const std::size_t sorted = detail::sorted_until<"stable_sort">(range, comp, proj, where);
    if (sorted == 1 && detail::falls_throughout(range, comp, proj, where))
      return detail::reverse_all<"stable_sort">(begin, n, where), true;
    return sorted == n;
  };
  if (called(is_done)) return;
  RawMemory<T> buffer(n);
  constexpr bool kInRow =
      std::ranges::contiguous_range<R> && std::is_same_v<std::ranges::range_reference_t<R>, T&>;
  if constexpr (kInRow && SortedByRadix<T, Comp, Proj>) {
    using Sort = RadixSort<T, Comp, Proj, std::remove_const_t<decltype(before)>>;
    if (n >= Sort::kFew) {
      Sort sort(begin, buffer.data(), n, proj, before, where);
      return called([&] { sort.sort(); });
    }
  }
  called([&] {
    if constexpr (kInRow && kPlain<T>) {
      detail::rethrow(MergeSort(begin, buffer.data(), n, before, where).sort(0, n, false));
    } else {
      buffer.template move_in<"stable_sort">(begin, where);
      detail::rethrow(MergeSort(buffer.data(), begin, n, before, where).sort(0, n, true));
    }
  });
}

}  // namespace furca::detail

namespace furca::found_by_name {

/// Sorts by comp(proj(element), proj(other)); elements of which neither goes before the other stay
/// in their order.
///
/// comp and proj are called by several threads at once. The result depends on the range alone, also
/// for a comparison that is no order; and so does what is thrown.
/// Exceptions: what comp or proj throws; of several the one that a pool of one thread would throw.
/// Then all elements are in the range, each once, in some order, if moving one does not throw.
/// Throws std::bad_alloc if there is no memory for the buffer, or at an outside thread's first
/// call, before anything has moved.
/// A comparison that is no order, as < is not where there are NaNs, gives some order; nothing
/// outside of the range is read or written.
/// Integers, and elements of plain memory of at most 64 bytes by a member that is one, compared by
/// less or greater of std or std::ranges: from 512 elements on they are sorted by the digits of
/// these, in two to three passes and an insertion as a rule; pairs of such by `first` or `second`
/// likewise. That is also faster than sort, which takes no memory.
/// Complexity: at most n log2 n + 2 n comparisons, each with two calls of proj; n - 1 and no move
/// for a sorted range, 2 n and n / 2 swaps for one in reverse. Moves:
/// n log2 n. Work O(n log n), span O(log^3 n).
/// Memory: as much as the range, and for integers a sixteenth more; none up to 16 elements, and for
/// ranges that are sorted or in reverse.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use the range meanwhile.
/// Source: halves are sorted at the same time and merged as in Odeh et al. (Merge Path, 2012), from
/// both ends at once and without branches, as driftsort does (Bergdoll, Peters, 2024). Integers:
/// radix sort (Knuth, The Art of Computer Programming 3, 5.2.5).
template <LoopRange R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj> && OutputRange<R>
detail::Borrowed<R> stable_sort(R&& range, Comp comp = {}, Proj proj = {},
                                const SourceLocation where = SourceLocation::current()) {
  detail::sort_stably(range, comp, proj, where);
  return detail::after(range, detail::size_of(range));
}

}  // namespace furca::found_by_name
