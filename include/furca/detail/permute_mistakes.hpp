// What answers a reverse, rotate or shuffle that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>

namespace furca::detail {

enum class Permutes { reverse, rotate, shuffle };

template <Permutes kHow, class... Arguments>
auto refuse_permutation() {
  using First = AlgorithmArgument<0, Arguments...>;
  if constexpr (kIterator<First> || kOtherRange<First> || is_range_of_bits<First>()) {
    return detail::tell<mistake_of_ranges<Takes::range_to_change, Arguments...>(), Arguments...>();
  } else if constexpr (is_fixed<First>()) {
    static_assert(kFits<Arguments...>, "furca: this moves elements, which cannot be const, or computed as those of zip and lazy: write reverse(v) with "
                                       "a container v");
    return Anything();
  } else if constexpr (kHow == Permutes::shuffle) {
    static_assert(kFits<Arguments...>, "furca: shuffle takes a range and a seed, which is an integer, and no generator, which threads could not "
                                       "share: write shuffle(v, 42), or shuffle(v, generator()) for another order each time");
    return Anything();
  } else {
    static_assert(kFits<Arguments...>, "furca: write reverse(v), and rotate(v, v.begin() + n) for an order that begins with the element that "
                                       "has n others in front of it");
    return Anything();
  }
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto reverse(Arguments&&...) {
  return detail::refuse_permutation<detail::Permutes::reverse, Arguments...>();
}
template <int = 0, class... Arguments>
auto rotate(Arguments&&...) {
  return detail::refuse_permutation<detail::Permutes::rotate, Arguments...>();
}
template <int = 0, class... Arguments>
auto shuffle(Arguments&&...) {
  return detail::refuse_permutation<detail::Permutes::shuffle, Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
