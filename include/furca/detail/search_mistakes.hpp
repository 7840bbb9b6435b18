// What answers a search, a count or a comparison that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <type_traits>

namespace furca::detail {

template <class Range>
consteval Mistake mistake_of_value() {
  return Mistake::no_value;
}
template <class Range, class Value, class... More>
consteval Mistake mistake_of_value() {
  return Decides<Value, std::ranges::range_reference_t<Range>> ? Mistake::predicate_for_value : Mistake::value;
}
template <class... Arguments>
consteval Mistake mistake_with_value() {
  if constexpr (has_right_ranges<Takes::range, Arguments...>()) {
    return mistake_of_value<Arguments...>();
  } else {
    return mistake_of_ranges<Takes::range, Arguments...>();
  }
}

template <class Range>
consteval Mistake mistake_of_comparison() {
  return Mistake::no_order;
}
template <class Range, class Comp, class... More>
consteval Mistake mistake_of_comparison() {
  using X = std::ranges::range_reference_t<Range>;
  if constexpr (std::invocable<std::remove_cvref_t<Comp>&, X>) {
    return Mistake::comparison_behind_projection;
  } else {
    return returns_nothing<Comp, X, X>() ? Mistake::comparison_returns_nothing : Mistake::comparison;
  }
}
template <class... Arguments>
consteval Mistake mistake_with_comparison() {
  if constexpr (has_right_ranges<Takes::range, Arguments...>()) {
    return mistake_of_comparison<Arguments...>();
  } else {
    return mistake_of_ranges<Takes::range, Arguments...>();
  }
}

template <class Range1, class Range2, class... More>
consteval Mistake mistake_of_difference() {
  return mistake_of_equality<std::ranges::range_reference_t<Range1>, std::ranges::range_reference_t<Range2>, More...>();
}
template <class... Arguments>
consteval Mistake mistake_with_two_ranges() {
  if constexpr (has_right_ranges<Takes::two_ranges, Arguments...>()) {
    return mistake_of_difference<Arguments...>();
  } else {
    return mistake_of_ranges<Takes::two_ranges, Arguments...>();
  }
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

// Those whose namesakes, here or in std, take a const T& take such references too, and fit no better then. With both namespaces in scope, std's are more
// specialised.
template <int = 0, class... Arguments>
auto find(const Arguments&...) {
  return detail::tell<detail::mistake_with_value<Arguments&...>(), Arguments&...>();
}
template <int = 0, class... Arguments>
auto find_if(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto find_if_not(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <class... Arguments>
auto contains(const Arguments&...) {
  return detail::tell<detail::mistake_with_value<Arguments&...>(), Arguments&...>();
}
template <int = 0, class... Arguments>
auto all_of(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto any_of(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto none_of(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto adjacent_find(Arguments&&...) {
  return detail::tell<detail::mistake_with_neighbours<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto mismatch(Arguments&&...) {
  return detail::tell<detail::mistake_with_two_ranges<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto equal(Arguments&&...) {
  return detail::tell<detail::mistake_with_two_ranges<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto is_sorted_until(Arguments&&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto is_sorted(Arguments&&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto count(const Arguments&...) {
  return detail::tell<detail::mistake_with_value<Arguments&...>(), Arguments&...>();
}
template <int = 0, class... Arguments>
auto count_if(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto min_element(Arguments&&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto max_element(Arguments&&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto minmax_element(Arguments&&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto min(const Arguments&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments&...>(), Arguments&...>();
}
template <int = 0, class... Arguments>
auto max(const Arguments&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments&...>(), Arguments&...>();
}
template <int = 0, class... Arguments>
auto minmax(const Arguments&...) {
  return detail::tell<detail::mistake_with_comparison<Arguments&...>(), Arguments&...>();
}

}  // namespace furca::found_by_name
/// @endcond
