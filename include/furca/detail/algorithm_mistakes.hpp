// What answers a call of an algorithm that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

namespace furca::detail {

/// What an algorithm is called with, by position; a number where there is nothing.
template <std::size_t N, class... Arguments>
using AlgorithmArgument = std::tuple_element_t<N, std::tuple<Arguments..., int, int>>;

template <class T>
inline constexpr bool kIterator = std::input_or_output_iterator<std::remove_cvref_t<T>>;

/// A range that lacks what parallel loops need.
template <class T>
inline constexpr bool kOtherRange =
    std::ranges::range<T> && !(std::ranges::random_access_range<T> && std::ranges::sized_range<T>);

template <class T>
consteval bool is_range_of_bits() {
  if constexpr (std::ranges::range<T>) {
    return std::is_same_v<std::ranges::range_reference_t<T>, std::vector<bool>::reference>;
  } else {
    return false;
  }
}

/// Elements cannot be exchanged.
template <class T>
consteval bool is_fixed() {
  if constexpr (std::ranges::range<T>) {
    return !std::permutable<std::ranges::iterator_t<T>>;
  } else {
    return false;
  }
}

/// Where an iterator is asked for.
template <class... Arguments>
consteval bool is_number_behind_range() {
  return sizeof...(Arguments) > 1 && std::is_integral_v<std::remove_cvref_t<AlgorithmArgument<1, Arguments...>>>;
}

/// How many ranges an algorithm takes, and whether it writes to the last of them.
enum class Takes { range, range_to_change, range_and_output, two_ranges };

template <Takes kTakes, class... Arguments>
auto refuse_call() {
  using First = AlgorithmArgument<0, Arguments...>;
  using Second = AlgorithmArgument<1, Arguments...>;
  constexpr bool kTwo = kTakes == Takes::range_and_output || kTakes == Takes::two_ranges;
  if constexpr (kIterator<First>) {
    static_assert(kFits<Arguments...>,
                  "furca: a range is one argument, as in std::ranges, without a policy: write find(v, x) for all of it, "
                  "find(std::span(first, last), x) for a part");
  } else if constexpr (kTakes == Takes::range_and_output && kIterator<Second>) {
    static_assert(kFits<Arguments...>,
                  "furca: the output is a range too, which has an end: write copy_if(v, out, pred) with a container out that is "
                  "large enough, or std::span(pointer, n)");
  } else if constexpr (kOtherRange<First> || (kTwo && kOtherRange<Second>)) {
    static_assert(
        kFits<Arguments...>,
        "furca: an algorithm runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of "
        "other ranges, or pointers to them, into a std::vector first");
  } else if constexpr ((kTakes == Takes::range_to_change && is_range_of_bits<First>()) ||
                       (kTakes == Takes::range_and_output && is_range_of_bits<Second>())) {
    static_assert(kFits<Arguments...>,
                  "furca: elements of std::vector<bool> share bytes, which threads cannot write to at the same time: write to a "
                  "std::vector<char>");
  } else {
    static_assert(
        kFits<Arguments...>,
        "furca: what follows a range must fit its elements, and its order is that of std::ranges: value or function, then "
        "projection: write find_if(v, [](const auto& element) { return true; })");
  }
  return Anything();
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

// Those whose namesakes, here or in std, take a const T& take such references too, and fit no better then. With both namespaces in scope, std's are more
// specialised.
template <class... Arguments>
auto find(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto find_if(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto find_if_not(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto contains(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto all_of(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto any_of(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto none_of(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto adjacent_find(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto mismatch(Arguments&&...) {
  return detail::refuse_call<detail::Takes::two_ranges, Arguments...>();
}
template <class... Arguments>
auto equal(Arguments&&...) {
  return detail::refuse_call<detail::Takes::two_ranges, Arguments...>();
}
template <class... Arguments>
auto is_sorted_until(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto is_sorted(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto count(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto count_if(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto min_element(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto max_element(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto minmax_element(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto min(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto max(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto minmax(const Arguments&...) {
  return detail::refuse_call<detail::Takes::range, Arguments&...>();
}
template <class... Arguments>
auto inclusive_scan(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_and_output, Arguments...>();
}
template <class... Arguments>
auto exclusive_scan(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_and_output, Arguments...>();
}
template <class... Arguments>
auto copy_if(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_and_output, Arguments...>();
}
template <class... Arguments>
auto filter(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range, Arguments...>();
}
template <class... Arguments>
auto remove_if(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_to_change, Arguments...>();
}
template <class... Arguments>
auto unique(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_to_change, Arguments...>();
}
template <class... Arguments>
auto partition(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_to_change, Arguments...>();
}
template <class... Arguments>
auto stable_partition(Arguments&&...) {
  return detail::refuse_call<detail::Takes::range_to_change, Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
