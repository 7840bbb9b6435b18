// What answers a histogram, count_by, reduce_by or group_by that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/mistakes.hpp>

namespace furca::detail {

template <class... Arguments>
auto refuse_groups() {
  using First = AlgorithmArgument<0, Arguments...>;
  if constexpr (kIterator<First> || kOtherRange<First>) {
    return detail::refuse_call<Takes::range, Arguments...>();
  } else {
    static_assert(kFits<Arguments...>, "furca: key and value are functions of an element, and keys have == and <, and what is in an element can be copied: write "
                                       "count_by(v, key), group_by(v, key, value), reduce_by(v, key, value, op), or histogram(v, bins, index), as group_by(orders, &Order::customer)");
    return Anything();
  }
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <class... Arguments>
auto histogram(Arguments&&...) {
  return detail::refuse_groups<Arguments...>();
}
template <class... Arguments>
auto count_by(Arguments&&...) {
  return detail::refuse_groups<Arguments...>();
}
template <class... Arguments>
auto reduce_by(Arguments&&...) {
  return detail::refuse_groups<Arguments...>();
}
template <class... Arguments>
auto group_by(Arguments&&...) {
  return detail::refuse_groups<Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
