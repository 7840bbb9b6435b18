// What answers a copy_if, filter, remove_if, unique or partition that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <type_traits>

namespace furca::detail {

template <class Range, class Out, class... More>
consteval Mistake mistake_of_copy_if() {
  if constexpr (!std::indirectly_copyable<std::ranges::iterator_t<Range>, std::ranges::iterator_t<Out>>) {
    return Mistake::output;
  } else {
    return mistake_of_predicate<std::ranges::range_reference_t<Range>, More...>();
  }
}
template <class... Arguments>
consteval Mistake mistake_with_copy_if() {
  using Second = AlgorithmArgument<1, Arguments...>;
  if constexpr (has_right_ranges<Takes::range_and_output, Arguments...>()) {
    return mistake_of_copy_if<Arguments...>();
  } else if constexpr (!has_right_ranges<Takes::range, Arguments...>() || std::ranges::range<Second> || kIterator<Second>) {
    return mistake_of_ranges<Takes::range_and_output, Arguments...>();
  } else {
    return std::ranges::range<AlgorithmArgument<2, Arguments..., int>> ? Mistake::output_behind_predicate : Mistake::no_output;
  }
}

/// Elements stay where they are.
template <class... Arguments>
consteval bool keeps_elements() {
  if constexpr (has_right_ranges<Takes::range_to_change, Arguments...>()) {
    return is_fixed<AlgorithmArgument<0, Arguments...>>();
  } else {
    return false;
  }
}
template <class... Arguments>
consteval Mistake mistake_in_place() {
  return keeps_elements<Arguments...>() ? Mistake::fixed_elements : mistake_with_predicate<Takes::range_to_change, Arguments...>();
}
template <class... Arguments>
consteval Mistake mistake_with_unique() {
  return keeps_elements<Arguments...>() ? Mistake::fixed_elements : mistake_with_neighbours<Takes::range_to_change, Arguments...>();
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto copy_if(Arguments&&...) {
  return detail::tell<detail::mistake_with_copy_if<Arguments...>(), Arguments...>();
}
template <class... Arguments>
auto filter(Arguments&&...) {
  return detail::tell<detail::mistake_with_predicate<detail::Takes::range, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto remove_if(Arguments&&...) {
  return detail::tell<detail::mistake_in_place<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto unique(Arguments&&...) {
  return detail::tell<detail::mistake_with_unique<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto partition(Arguments&&...) {
  return detail::tell<detail::mistake_in_place<Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto stable_partition(Arguments&&...) {
  return detail::tell<detail::mistake_in_place<Arguments...>(), Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
