// The contribution of an index or element to a reduction: returned by a map, or added in place by a
// fold.
#pragma once

#include <furca/detail/base/config.hpp>

#include <concepts>
#include <limits>

namespace furca::detail {

/// A number of type From has no place in a To: an int holds no fractions, and not all of a long. A
/// sign is not asked for, since sums of unsigned numbers come out right all the same, nor the last
/// digits of an integer in a floating-point number, which rounds with every addition anyhow.
template <class From, class To>
consteval bool narrows() {
  if constexpr (!std::is_arithmetic_v<From> || !std::is_arithmetic_v<To> ||
                std::is_same_v<From, To>) {
    return false;
  } else if constexpr (std::is_floating_point_v<From>) {
    return !std::is_floating_point_v<To> ||
           std::numeric_limits<To>::digits < std::numeric_limits<From>::digits;
  } else {
    return std::is_same_v<To, bool> || (std::is_integral_v<To> && sizeof(To) < sizeof(From));
  }
}

/// The result of map is no more than an accumulator can hold.
template <class From, class T>
inline constexpr bool kFitsInto = !narrows<std::remove_cvref_t<From>, T>();

/// The same for what op returns. Two shorts add up to an int, which may become a short again.
template <class From, class T>
consteval bool combines_into() {
  if constexpr (std::is_arithmetic_v<T> && !kFitsInto<From, T>) {
    return std::is_same_v<std::remove_cvref_t<From>, decltype(T() + T())>;
  } else {
    return true;
  }
}

template <class From, class T>
inline constexpr bool kCombinesInto = combines_into<From, T>();

/// The first form of a contribution.
template <class F, class X, class T>
concept MapsTo = std::invocable<F&, X> && std::convertible_to<std::invoke_result_t<F&, X>, T>;

/// Whether what it does to an accumulator stays: a function that bears a temporary one takes it by
/// value, or might. A member function is always given the accumulator itself.
template <class F, class T, class... Xs>
consteval bool changes_accumulator() {
  if constexpr (std::is_member_pointer_v<std::remove_cvref_t<F>>) {
    return !std::is_invocable_v<F&, const T&, Xs...>;
  } else {
    return !std::is_invocable_v<F&, T, Xs...>;
  }
}

/// The second form. An index or element is added; of a fold over chunks the two ends of a
/// stretch, or a part of a range.
template <class F, class T, class... Xs>
concept Folds =
    std::invocable<F&, T&, Xs...> && std::is_void_v<std::invoke_result_t<F&, T&, Xs...>> &&
    changes_accumulator<F, T, Xs...>();

template <class F, class X, class T>
concept FoldsInto = Folds<F, T, X>;

}  // namespace furca::detail
