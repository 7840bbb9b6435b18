// The extremes of a range, with the names and results of std::ranges: min, max, minmax, and where
// they are.
#pragma once

#include <furca/detail/algorithms/extremes.hpp>
#include <furca/detail/algorithms/prelude.hpp>

#include <cassert>

FURCA_DECLARES(extremes);

namespace furca::found_by_name {

/// The first of the least elements by comp(proj(a), proj(b)); the end of an empty range.
///
/// comp is to be a strict weak order. With NaNs in a range of numbers, the result is still that of
/// the serial algorithm.
/// comp and proj are called by several threads at once: comp n - 1 times, and once for each stretch
/// that another thread takes over; proj at most twice as often.
/// Exceptions: those that the serial algorithm would throw, or, if comp throws for two elements
/// that this one would not compare, one of those.
/// Complexity, thread-safety: as count_if.
/// @snippet search.cpp min_element
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
[[nodiscard("the result of min_element is what it returns")]] std::ranges::borrowed_iterator_t<R>
min_element(R&& range, Comp comp = {}, Proj proj = {},
            const SourceLocation where = SourceLocation::current()) {
  if (detail::size_of(range) == 0) return detail::borrowed_at<R>(range, 0);
  return detail::borrowed_at<R>(
      range,
      detail::extremes<"min_element", detail::Extreme::first_least>(range, comp, proj, where)[0]);
}

/// The first of the greatest elements. As min_element.
/// @snippet search.cpp max_element
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
[[nodiscard("the result of max_element is what it returns")]] std::ranges::borrowed_iterator_t<R>
max_element(R&& range, Comp comp = {}, Proj proj = {},
            const SourceLocation where = SourceLocation::current()) {
  if (detail::size_of(range) == 0) return detail::borrowed_at<R>(range, 0);
  return detail::borrowed_at<R>(
      range, detail::extremes<"max_element", detail::Extreme::first_greatest>(range, comp, proj,
                                                                              where)[0]);
}

/// The first of the least elements and the last of the greatest. As min_element, with two
/// comparisons for each element, and up to three of floating-point numbers by a comp of your own.
/// NaNs are left out, but for one in front, unless comp tells them from numbers. Those in structs
/// can only be told if a projection names them: write minmax_element(v, {}, &Point::x). A comp that
/// looks into the structs is no strict weak order then, and which of the greatest is found may
/// depend on the threads.
/// @snippet search.cpp minmax_element
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
[[nodiscard("the result of minmax_element is what it returns")]] std::ranges::minmax_element_result<
    std::ranges::borrowed_iterator_t<R>>
minmax_element(R&& range, Comp comp = {}, Proj proj = {},
               const SourceLocation where = SourceLocation::current()) {
  if (detail::size_of(range) == 0)
    return {detail::borrowed_at<R>(range, 0), detail::borrowed_at<R>(range, 0)};
  const auto found = detail::extremes<"minmax_element", detail::Extreme::first_least,
                                      detail::Extreme::last_greatest>(range, comp, proj, where);
  return {detail::borrowed_at<R>(range, found[0]), detail::borrowed_at<R>(range, found[1])};
}

/// A copy of the first of the least elements of a range that is not empty. As min_element.
/// @snippet search.cpp min
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard("the result of min is what it returns")]] std::ranges::range_value_t<R> min(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  assert(detail::size_of(range) > 0);
  return static_cast<std::ranges::range_value_t<R>>(*detail::iterator_at(
      range, detail::extremes<"min", detail::Extreme::first_least>(range, comp, proj, where)[0]));
}

/// A copy of the first of the greatest elements of a range that is not empty. As min_element.
/// @snippet search.cpp max
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard("the result of max is what it returns")]] std::ranges::range_value_t<R> max(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  assert(detail::size_of(range) > 0);
  return static_cast<std::ranges::range_value_t<R>>(*detail::iterator_at(
      range,
      detail::extremes<"max", detail::Extreme::first_greatest>(range, comp, proj, where)[0]));
}

/// Copies of the first of the least elements and of the last of the greatest of a range that is not
/// empty. As minmax_element.
/// @snippet search.cpp minmax
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard("the result of minmax is what it returns")]] std::ranges::minmax_result<
    std::ranges::range_value_t<R>>
minmax(R&& range, Comp comp = {}, Proj proj = {},
       const SourceLocation where = SourceLocation::current()) {
  assert(detail::size_of(range) > 0);
  const auto found =
      detail::extremes<"minmax", detail::Extreme::first_least, detail::Extreme::last_greatest>(
          range, comp, proj, where);
  return {static_cast<std::ranges::range_value_t<R>>(*detail::iterator_at(range, found[0])),
          static_cast<std::ranges::range_value_t<R>>(*detail::iterator_at(range, found[1]))};
}

}  // namespace furca::found_by_name
