// Searching, counting and comparing, with the names and results of std::ranges.
#pragma once

#include <furca/detail/algorithms/searching.hpp>
#include <furca/extremes.hpp>

FURCA_DECLARES(search);

namespace furca::found_by_name {

/// The first element that satisfies pred(proj(element)), or the end.
///
/// All functions here give what those of the same name in std::ranges give, for ranges of random
/// access and known size, and are constrained as they are:
/// always the first of several hits. Threads take what comes next from the front, piece by piece,
/// so a hit is found as much earlier as there are threads, and no more is searched behind it than
/// in front of it, and 2,048 elements, and 64 for each thread, as long as the threads keep pace:
/// the others go on while the system holds up the one that is to come to the hit, and come to what
/// it has left when they are twice to four times as far.
/// pred and proj are called by several threads at once, and once at most for each element, also for
/// some behind the hit.
/// Exceptions: the one that the serial algorithm would throw; one that is thrown behind the first
/// hit is dropped. Throws std::bad_alloc at an outside thread's first call.
/// Complexity: at most n calls; for a hit at position p about 2 p + 2,048, and 64 for each thread,
/// if none is held up; span O(log n). Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] detail::Borrowed<R> find_if(R&& range, Pred pred, Proj proj = {},
                                          const SourceLocation where = SourceLocation::current()) {
  return detail::after(range, detail::position_of<"find_if", true>(range, pred, proj, where));
}

/// The first element that does not satisfy pred(proj(element)), or the end. As find_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] detail::Borrowed<R> find_if_not(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::after(range, detail::position_of<"find_if_not", false>(range, pred, proj, where));
}

/// The first element with proj(element) == value, or the end. As find_if.
template <LoopRange R, class T, class Proj = std::identity>
  requires detail::ComparedWith<T, R, Proj>
[[nodiscard]] detail::Borrowed<R> find(R&& range, const T& value, Proj proj = {},
                                       const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::after(range, detail::position_of<"find", true>(range, equal, proj, where));
}

/// Is there an element with proj(element) == value? As find_if.
template <LoopRange R, class T, class Proj = std::identity>
  requires detail::ComparedWith<T, R, Proj>
[[nodiscard]] bool contains(R&& range, const T& value, Proj proj = {},
                            const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::position_of<"contains", true>(range, equal, proj, where) < detail::size_of(range);
}

/// Do all elements satisfy pred(proj(element))? True for none. As find_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] bool all_of(R&& range, Pred pred, Proj proj = {},
                          const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"all_of", false>(range, pred, proj, where) == detail::size_of(range);
}

/// Does one element satisfy pred(proj(element))? As find_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] bool any_of(R&& range, Pred pred, Proj proj = {},
                          const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"any_of", true>(range, pred, proj, where) < detail::size_of(range);
}

/// Does no element satisfy pred(proj(element))? As find_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] bool none_of(R&& range, Pred pred, Proj proj = {},
                           const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"none_of", true>(range, pred, proj, where) == detail::size_of(range);
}

/// The first element that pred(proj(element), proj(the next one)) holds for, or the end. As
/// find_if; proj is called twice for most elements.
template <LoopRange R, class Proj = std::identity,
          detail::RelationOf<R, Proj> Pred = std::ranges::equal_to>
[[nodiscard]] detail::Borrowed<R> adjacent_find(
    R&& range, Pred pred = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const auto holds = [](auto& ask, const auto& all, std::size_t i) {
    return all.hold(ask, i, i + 1);
  };
  const std::size_t size = detail::size_of(range);
  const std::size_t at = detail::first_neighbours<"adjacent_find">(range, pred, proj, holds, where);
  return detail::after(range, at + 1 < size ? at : size);
}

/// The first elements, at the same position, that pred(proj1(element1), proj2(element2)) does not
/// hold for; or the positions at which the shorter range ends. As find_if.
template <LoopRange R1, LoopRange R2, class Pred = std::ranges::equal_to,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                                      Pred, Proj1, Proj2>
[[nodiscard]] std::ranges::mismatch_result<detail::Borrowed<R1>, detail::Borrowed<R2>> mismatch(
    R1&& range1, R2&& range2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
    const SourceLocation where = SourceLocation::current()) {
  const std::size_t at =
      detail::first_difference<"mismatch">(range1, range2, pred, proj1, proj2, where);
  return {detail::after(range1, at), detail::after(range2, at)};
}

/// Do both ranges have the same size, and does pred(proj1(element1), proj2(element2)) hold at each
/// position? As find_if; ranges of different size are not looked at.
template <LoopRange R1, LoopRange R2, class Pred = std::ranges::equal_to,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                                      Pred, Proj1, Proj2>
[[nodiscard]] bool equal(R1&& range1, R2&& range2, Pred pred = {}, Proj1 proj1 = {},
                         Proj2 proj2 = {}, const SourceLocation where = SourceLocation::current()) {
  const std::size_t size = detail::size_of(range1);
  return size == detail::size_of(range2) &&
         detail::first_difference<"equal">(range1, range2, pred, proj1, proj2, where) == size;
}

/// The first element that is less than the one before it, or the end: up to there the range is
/// sorted. As find_if; proj is called twice for most elements.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
[[nodiscard]] detail::Borrowed<R> is_sorted_until(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return detail::after(range, detail::sorted_until<"is_sorted_until">(range, comp, proj, where));
}

/// Is no element less than the one before it? As find_if; proj is called twice for most elements.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
[[nodiscard]] bool is_sorted(R&& range, Comp comp = {}, Proj proj = {},
                             const SourceLocation where = SourceLocation::current()) {
  return detail::sorted_until<"is_sorted">(range, comp, proj, where) == detail::size_of(range);
}

/// How many elements satisfy pred(proj(element)).
///
/// pred and proj are called by several threads at once, once for each element.
/// Exceptions: the one that the serial algorithm would throw. Throws std::bad_alloc at an outside
/// thread's first call.
/// Complexity: n calls; span O(log n) plus a few microseconds' worth of them. Allocates nothing.
/// Thread-safety: as find_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
[[nodiscard]] std::ranges::range_difference_t<R> count_if(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::count_of<"count_if">(range, pred, proj, where);
}

/// How many elements have proj(element) == value. As count_if.
template <LoopRange R, class T, class Proj = std::identity>
  requires detail::ComparedWith<T, R, Proj>
[[nodiscard]] std::ranges::range_difference_t<R> count(
    R&& range, const T& value, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::count_of<"count">(range, equal, proj, where);
}

}  // namespace furca::found_by_name
