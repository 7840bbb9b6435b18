// What answers a call of a sort that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

namespace furca::detail {

/// `kBoth`: the second argument is a range too.
template <bool kBoth, class... Arguments>
auto refuse_sort() {
  using First = AlgorithmArgument<0, Arguments...>;
  using Second = AlgorithmArgument<1, Arguments...>;
  if constexpr (!std::ranges::range<First> || (kBoth && !std::ranges::range<Second>)) {
    static_assert(
        kFits<Arguments...>,
        "furca: a range is one argument, as in std::ranges, without a policy: write sort(v) for all of it, sort(std::span(first, "
        "last)) for a part");
  } else if constexpr (kOtherRange<First> || (kBoth && kOtherRange<Second>)) {
    static_assert(
        kFits<Arguments...>,
        "furca: an algorithm runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of "
        "other ranges, or pointers to them, into a std::vector first");
  } else if constexpr (is_range_of_bits<First>() || (kBoth && is_range_of_bits<Second>())) {
    static_assert(kFits<Arguments...>,
                  "furca: elements of std::vector<bool> share bytes, which threads cannot write to at the same time: write to a "
                  "std::vector<char>");
  } else if constexpr (is_fixed<First>() || (kBoth && is_fixed<Second>())) {
    static_assert(
        kFits<Arguments...>,
        "furca: a sort moves elements, which cannot be const, or computed as those of zip and lazy: write sort(v) with a "
        "container v, sort_by_key(keys, values) for two");
  } else if constexpr (is_number_behind_range<Arguments...>()) {
    static_assert(kFits<Arguments...>, "furca: a place in a range is an iterator: write nth_element(v, v.begin() + n), partial_sort(v, v.begin() + n)");
  } else {
    static_assert(
        kFits<Arguments...>,
        "furca: what follows a range must fit its elements, and its order is that of std::ranges: comparison, then projection: "
        "write sort(v, [](const auto& a, const auto& b) { return a < b; }), sort(v, {}, &Record::key)");
  }
  return Anything();
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto sort(Arguments&&...) {
  return detail::refuse_sort<false, Arguments...>();
}
template <class... Arguments>
auto sort_by_key(Arguments&&...) {
  return detail::refuse_sort<true, Arguments...>();
}
template <int = 0, class... Arguments>
auto nth_element(Arguments&&...) {
  return detail::refuse_sort<false, Arguments...>();
}
template <int = 0, class... Arguments>
auto partial_sort(Arguments&&...) {
  return detail::refuse_sort<false, Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
