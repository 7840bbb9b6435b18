// The extremes of a range, with the names and results of std::ranges: min, max, minmax, and where
// they are.
#pragma once

#include <furca/detail/algorithms/extremes.hpp>

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
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
[[nodiscard]] detail::Borrowed<R> min_element(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return detail::extreme_places<"min_element", R, detail::Extreme::first_least>(range, comp, proj,
                                                                                where)[0];
}

/// The first of the greatest elements. As min_element.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
[[nodiscard]] detail::Borrowed<R> max_element(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return detail::extreme_places<"max_element", R, detail::Extreme::first_greatest>(range, comp,
                                                                                   proj, where)[0];
}

/// The first of the least elements and the last of the greatest. As min_element, with two
/// comparisons for each element, and up to three of floating-point numbers by a comp of your own.
/// NaNs are left out, but for one in front, unless comp tells them from numbers. Those in structs
/// can only be told if a projection names them: write minmax_element(v, {}, &Point::x). A comp that
/// looks into the structs is no strict weak order then, and which of the greatest is found may
/// depend on the threads.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
[[nodiscard]] std::ranges::minmax_element_result<detail::Borrowed<R>> minmax_element(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const auto [least, greatest] =
      detail::extreme_places<"minmax_element", R, detail::Extreme::first_least,
                             detail::Extreme::last_greatest>(range, comp, proj, where);
  return {least, greatest};
}

/// A copy of the first of the least elements of a range that is not empty. As min_element.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard]] std::ranges::range_value_t<R> min(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return std::move(
      detail::extreme_values<"min", detail::Extreme::first_least>(range, comp, proj, where)[0]);
}

/// A copy of the first of the greatest elements of a range that is not empty. As min_element.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard]] std::ranges::range_value_t<R> max(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return std::move(
      detail::extreme_values<"max", detail::Extreme::first_greatest>(range, comp, proj, where)[0]);
}

/// Copies of the first of the least elements and of the last of the greatest of a range that is not
/// empty. As minmax_element.
template <LoopRange R, class Proj = std::identity,
          detail::OrderOf<R, Proj> Comp = std::ranges::less>
  requires std::indirectly_copyable_storable<std::ranges::iterator_t<R>,
                                             std::ranges::range_value_t<R>*>
[[nodiscard]] std::ranges::minmax_result<std::ranges::range_value_t<R>> minmax(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  auto [least, greatest] =
      detail::extreme_values<"minmax", detail::Extreme::first_least,
                             detail::Extreme::last_greatest>(range, comp, proj, where);
  return {std::move(least), std::move(greatest)};
}

}  // namespace furca::found_by_name
