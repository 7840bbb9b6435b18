// What answers a merge, a stable_sort or a set operation that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <type_traits>

namespace furca::detail {

/// Whether elements of a range are made anew each time, as those of zip and lazy are.
template <class T>
consteval bool has_made_elements() {
  if constexpr (std::ranges::range<T>) {
    return !std::is_reference_v<std::ranges::range_reference_t<T>>;
  } else {
    return false;
  }
}

/// For algorithms that reorder the first range.
template <class... Arguments>
auto refuse_order() {
  using First = AlgorithmArgument<0, Arguments...>;
  if constexpr (kIterator<First> || kOtherRange<First> || is_range_of_bits<First>()) {
    return detail::tell<mistake_of_ranges<Takes::range_to_change, Arguments...>(), Arguments...>();
  } else if constexpr (has_made_elements<First>()) {
    static_assert(kFits<Arguments...>, "furca: elements that are put together as they are read, as those of zip or lazy, cannot be put into another order: sort a "
                                       "std::vector of structs, or of positions");
    return Anything();
  } else if constexpr (is_fixed<First>()) {
    static_assert(kFits<Arguments...>, "furca: a sort moves elements, which cannot be const: write stable_sort(v), or inplace_merge(v, v.begin() + n), with "
                                       "a container v that is not");
    return Anything();
  } else if constexpr (is_number_behind_range<Arguments...>()) {
    static_assert(kFits<Arguments...>, "furca: a place in a range is an iterator: write inplace_merge(v, v.begin() + n)");
    return Anything();
  } else {
    static_assert(kFits<Arguments...>, "furca: what follows a range must fit its elements, and its order is that of std::ranges: comparison, then "
                                       "projection: write stable_sort(v, std::ranges::less{}, &Record::key)");
    return Anything();
  }
}

/// For algorithms over two sorted ranges, and perhaps an output.
template <bool kOutput, class... Arguments>
auto refuse_sorted() {
  using First = AlgorithmArgument<0, Arguments...>;
  using Second = AlgorithmArgument<1, Arguments...>;
  using Third = AlgorithmArgument<2, Arguments..., int>;
  if constexpr (kIterator<First> || kOtherRange<First> || kOtherRange<Second>) {
    return detail::tell<mistake_of_ranges<Takes::two_ranges, Arguments...>(), Arguments...>();
  } else if constexpr (kOutput && (kIterator<Third> || kOtherRange<Third>)) {
    static_assert(kFits<Arguments...>, "furca: the output is a range too, which has an end: write merge(v, w, out) with a container out that is large enough, or "
                                       "std::span(pointer, n)");
    return Anything();
  } else if constexpr (kOutput && is_range_of_bits<Third>()) {
    return detail::tell<mistake_of_ranges<Takes::range_to_change, Third>(), Third>();
  } else {
    static_assert(kFits<Arguments...>, "furca: elements of both ranges must be comparable, and fit the output, and the order of arguments is that of std::ranges: ranges, "
                                       "output, comparison, projections: write merge(v, w, out, std::ranges::less{}, &Record::key, &Record::key)");
    return Anything();
  }
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto stable_sort(Arguments&&...) {
  return detail::refuse_order<Arguments...>();
}
template <int = 0, class... Arguments>
auto inplace_merge(Arguments&&...) {
  return detail::refuse_order<Arguments...>();
}
template <int = 0, class... Arguments>
auto merge(Arguments&&...) {
  return detail::refuse_sorted<true, Arguments...>();
}
template <int = 0, class... Arguments>
auto set_union(Arguments&&...) {
  return detail::refuse_sorted<true, Arguments...>();
}
template <int = 0, class... Arguments>
auto set_intersection(Arguments&&...) {
  return detail::refuse_sorted<true, Arguments...>();
}
template <int = 0, class... Arguments>
auto set_difference(Arguments&&...) {
  return detail::refuse_sorted<true, Arguments...>();
}
template <int = 0, class... Arguments>
auto includes(Arguments&&...) {
  return detail::refuse_sorted<false, Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
