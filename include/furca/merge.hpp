// Merging sorted ranges.
#pragma once

#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/write.hpp>

FURCA_DECLARES(merge);

namespace furca::detail {

/// Merges [0, middle) and [middle, n) by way of a buffer for what has to move.
template <class R, class I, class Comp, class Proj>
void merge_in_place(I begin, std::size_t middle, std::size_t n, Comp& comp, Proj& proj,
                    const SourceLocation& where) {
  const auto before = detail::goes_before<R, R>(comp, proj, proj);
  if (middle == n) return;
  // of the left part that does not stay where it is: it goes behind an element of the right one
  const std::size_t first = detail::first_without(0, middle, [&](std::size_t i) {
    return !before(detail::plus(begin, middle), detail::plus(begin, i));
  });
  if (first == middle) return;
  // behind the right part's last that goes before one of the left
  const std::size_t last = detail::first_without(middle, n, [&](std::size_t i) {
    return before(detail::plus(begin, i), detail::plus(begin, middle - 1));
  });
  RawMemory<std::iter_value_t<I>> buffer(last - first);
  buffer.template move_in<"inplace_merge">(detail::plus(begin, first), where);
  const auto runs = detail::runs_of(buffer.data(), middle - first, buffer.data() + (middle - first),
                                    last - middle, detail::plus(begin, first), last - first);
  detail::rethrow(detail::merge_runs(runs, before, MovePut(), where));
}

}  // namespace furca::detail

namespace furca::found_by_name {

/// Merges two sorted ranges into `out`, in order by comp(proj1(element), proj2(other)). Of elements
/// of which neither goes before the other, those of the first range come first, each range's in
/// their order.
///
/// The output must not overlap the ranges. One that is too short ends the algorithm: the result
/// tells where in each range, and in the output.
/// comp, proj1 and proj2 are called by several threads at once. Where the ranges are not sorted, or
/// comp is no order, some order comes out; nothing outside of the ranges is read or written.
/// Exceptions: what comp, a projection or a copy throws; of several the one that a pool of one
/// thread would throw. Then what is in out is not specified. Throws std::bad_alloc at an outside
/// thread's first call.
/// Complexity: n + O(n / 8192 log n) comparisons, n copies, for n elements in both; span O(log^2
/// n). Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; the ranges must not change meanwhile, and
/// nobody else may use out.
/// Source: Odeh, Green, Mwassi, Shmueli, Birk: Merge Path - Parallel Merging Made Simple,
/// IPDPSW 2012.
template <LoopRange R1, LoopRange R2, OutputRange Out, class Comp = std::ranges::less,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires detail::MergedInto<R1, R2, Out, Comp, Proj1, Proj2>
std::ranges::merge_result<detail::Borrowed<R1>, detail::Borrowed<R2>, detail::Borrowed<Out>> merge(
    R1&& range1, R2&& range2, Out&& out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
    const SourceLocation where = SourceLocation::current()) {
  const std::size_t size1 = detail::size_of(range1);
  const std::size_t size2 = detail::size_of(range2);
  const std::size_t room = detail::size_of(out);
  const auto before = detail::goes_before<std::remove_reference_t<R1>, std::remove_reference_t<R2>>(
      comp, proj1, proj2);
  auto runs = detail::runs_of(detail::first_of(range1), size1, detail::first_of(range2), size2,
                              detail::first_of(out), std::min(room, size1 + size2));
  if (room < size1 + size2) runs = runs.split(room, before).first;
  const std::size_t end1 = detail::between(runs.a, runs.a_end);
  const std::size_t end2 = detail::between(runs.b, runs.b_end);
  detail::rethrow(detail::merge_runs(runs, before, detail::CopyPut(), where));
  return {detail::after(range1, end1), detail::after(range2, end2),
          detail::after(out, end1 + end2)};
}

/// Merges two sorted parts of a range, [begin, middle) and [middle, end), into one. Everything else
/// as merge and stable_sort.
///
/// Exceptions: as stable_sort: whatever comp or proj throws, each element is in the range once.
/// Throws std::bad_alloc if there is no memory, before anything has moved.
/// Complexity: n + O(n / 8192 log n) comparisons, 2 n moves; O(log n) comparisons if the parts are
/// in order already. Elements that need not move are found by binary search. Memory: as much as the
/// elements between these.
template <LoopRange R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj> && OutputRange<R>
detail::Borrowed<R> inplace_merge(R&& range, std::ranges::iterator_t<R> middle, Comp comp = {},
                                  Proj proj = {},
                                  const SourceLocation where = SourceLocation::current()) {
  const auto left = static_cast<std::size_t>(middle - std::ranges::begin(range));
  detail::merge_in_place<std::remove_reference_t<R>>(detail::first_of(range), left,
                                                     detail::size_of(range), comp, proj, where);
  return detail::after(range, detail::size_of(range));
}

}  // namespace furca::found_by_name
