// What sets do, over sorted ranges: union, intersection, the differences, and whether one includes
// the other.
#pragma once

#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/set_passes.hpp>
#include <furca/detail/sorting/set_path.hpp>
#include <furca/write.hpp>

FURCA_DECLARES(sets);

namespace furca::detail {

/// Over whole ranges: where it ended in each.
template <Literal name, SetOperation operation, class R1, class R2, class Out, class Comp,
          class Proj1, class Proj2>
std::ranges::in_in_out_result<Borrowed<R1>, Borrowed<R2>, Borrowed<Out>> write_set_of(
    std::remove_reference_t<R1>& range1, std::remove_reference_t<R2>& range2,
    std::remove_reference_t<Out>& out, Comp& comp, Proj1& proj1, Proj2& proj2,
    const SourceLocation& where) {
  const auto path = detail::set_path(range1, detail::size_of(range1), range2,
                                     detail::size_of(range2), comp, proj1, proj2);
  constexpr std::size_t kBytes =
      std::max(sizeof(std::ranges::range_value_t<R1>), sizeof(std::ranges::range_value_t<R2>));
  const SetEnd end = detail::write_set<name, operation>(path, kBytes, detail::first_of(out),
                                                        detail::size_of(out), where);
  return {detail::after(range1, end.in.a), detail::after(range2, end.in.b),
          detail::after(out, end.out)};
}

}  // namespace furca::detail

namespace furca::found_by_name {

/// Writes the elements that are in at least one of two sorted ranges to `out`, in order by
/// comp(proj1(element), proj2(other)).
///
/// Elements of which neither goes before the other count as equal. Of m in the first range and n in
/// the second one, max(m, n) are written: all of the first range, and behind them the last n - m of
/// the second one, if that has more.
/// The output must not overlap the ranges. One that is too short ends the algorithm: the result
/// tells where in each range, in front of the first element that had no place, and in the output.
/// Elements of the output behind the result are not touched.
/// comp, proj1 and proj2 are called by several threads at once. The result is the same for any
/// number of threads, also where the ranges are not sorted, or comp is no order: then it is some
/// elements of both; nothing outside of the ranges is read or written.
/// Exceptions: what comp or a projection throws, or an assignment; of several the one that a pool
/// of one thread would throw. Then what is in out is not specified. Throws std::bad_alloc if there
/// is no memory for a stretch's counts, or at an outside thread's first call, before anything is
/// written.
/// Complexity: at most 4 n + O(n / 2048 log n) comparisons for n elements in both ranges: what a
/// block gives is counted before it is written; span O(n / p + log n), for p threads: stretches of
/// 256 KB a thread one after the other, each within the caches. Allocates 120 bytes for 2,048
/// elements of a stretch; nothing up to 2,048 elements in both ranges, and on a pool of one thread.
/// Thread-safety: any thread, at any depth of nesting; the ranges must not change meanwhile, and
/// nobody else may use out.
/// Source: Baxter: Modern GPU, Multisets, 2013 (balanced path).
template <LoopRange R1, LoopRange R2, OutputRange Out, class Comp = std::ranges::less,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires detail::MergedInto<R1, R2, Out, Comp, Proj1, Proj2>
std::ranges::set_union_result<detail::Borrowed<R1>, detail::Borrowed<R2>, detail::Borrowed<Out>>
set_union(R1&& range1, R2&& range2, Out&& out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
          const SourceLocation where = SourceLocation::current()) {
  return detail::write_set_of<"set_union", detail::SetOperation::unite, R1, R2, Out>(
      range1, range2, out, comp, proj1, proj2, where);
}

/// Writes the elements that are in both of two sorted ranges to `out`: of m and n equal ones the
/// first min(m, n) of the first range. Everything else as set_union.
template <LoopRange R1, LoopRange R2, OutputRange Out, class Comp = std::ranges::less,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires detail::MergedInto<R1, R2, Out, Comp, Proj1, Proj2>
std::ranges::set_intersection_result<detail::Borrowed<R1>, detail::Borrowed<R2>,
                                     detail::Borrowed<Out>>
set_intersection(R1&& range1, R2&& range2, Out&& out, Comp comp = {}, Proj1 proj1 = {},
                 Proj2 proj2 = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::write_set_of<"set_intersection", detail::SetOperation::intersect, R1, R2, Out>(
      range1, range2, out, comp, proj1, proj2, where);
}

/// Writes the elements of a sorted range that are not in another one to `out`: of m and n equal
/// ones the last m - n of the first range, if it has more. The result has where it ended in the
/// first range and in the output, `in` and `out`. Everything else as set_union.
template <LoopRange R1, LoopRange R2, OutputRange Out, class Comp = std::ranges::less,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires detail::MergedInto<R1, R2, Out, Comp, Proj1, Proj2>
std::ranges::set_difference_result<detail::Borrowed<R1>, detail::Borrowed<Out>> set_difference(
    R1&& range1, R2&& range2, Out&& out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
    const SourceLocation where = SourceLocation::current()) {
  auto end = detail::write_set_of<"set_difference", detail::SetOperation::subtract, R1, R2, Out>(
      range1, range2, out, comp, proj1, proj2, where);
  return {std::move(end.in1), std::move(end.out)};
}

/// Writes the elements that are in one of two sorted ranges and not in the other to `out`, in
/// order: of m in the first range and n in the second one that are equal, the last m - n of the
/// first, or the last n - m of the second. Everything else as set_union.
template <LoopRange R1, LoopRange R2, OutputRange Out, class Comp = std::ranges::less,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires detail::MergedInto<R1, R2, Out, Comp, Proj1, Proj2>
std::ranges::set_symmetric_difference_result<detail::Borrowed<R1>, detail::Borrowed<R2>,
                                             detail::Borrowed<Out>>
set_symmetric_difference(R1&& range1, R2&& range2, Out&& out, Comp comp = {}, Proj1 proj1 = {},
                         Proj2 proj2 = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::write_set_of<"set_symmetric_difference", detail::SetOperation::differ, R1, R2,
                              Out>(range1, range2, out, comp, proj1, proj2, where);
}

/// Whether a sorted range has every element of another one: of equal elements at least as many.
///
/// Exceptions: the one that a pool of one thread would throw; none if an element is missing in
/// front of it. Throws std::bad_alloc at an outside thread's first call.
/// Complexity: at most 2 n + O(n / 2048 log n) comparisons; threads begin no block any more when
/// one has missed an element. Span O(log n), and a block.
/// Allocates nothing.
/// Everything else as set_union.
template <LoopRange R1, LoopRange R2, class Comp = std::ranges::less, class Proj1 = std::identity,
          class Proj2 = std::identity>
  requires std::indirect_strict_weak_order<Comp, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                           std::projected<std::ranges::iterator_t<R2>, Proj2>>
bool includes(R1&& range1, R2&& range2, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
              const SourceLocation where = SourceLocation::current()) {
  return detail::pairs_all(detail::set_path(range1, detail::size_of(range1), range2,
                                            detail::size_of(range2), comp, proj1, proj2),
                           where);
}

}  // namespace furca::found_by_name
