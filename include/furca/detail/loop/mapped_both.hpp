// The elements of two ranges at the same places, as one contribution to a reduction.
#pragma once

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/fold.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace furca::detail {

/// A function of two elements whose results accumulators of type T hold.
template <class F, class R1, class R2, class T>
concept MapsBothTo =
    std::invocable<F&, std::ranges::range_reference_t<R1>, std::ranges::range_reference_t<R2>> &&
    std::convertible_to<std::invoke_result_t<F&, std::ranges::range_reference_t<R1>,
                                             std::ranges::range_reference_t<R2>>,
                        T> &&
    kFitsInto<std::invoke_result_t<F&, std::ranges::range_reference_t<R1>,
                                   std::ranges::range_reference_t<R2>>,
              T>;

/// What two elements contribute.
template <class I1, class I2, class T, class F>
struct MappedBoth {
  F& f;
  I1 begin1;
  I2 begin2;

  T operator()(std::size_t i) const {
    return static_cast<T>(detail::invoke(f, begin1[static_cast<std::iter_difference_t<I1>>(i)],
                                         begin2[static_cast<std::iter_difference_t<I2>>(i)]));
  }
};

template <std::contiguous_iterator I1, std::contiguous_iterator I2, class T, class F>
  requires std::is_arithmetic_v<std::iter_value_t<I1>> &&
               std::is_arithmetic_v<std::iter_value_t<I2>> && std::same_as<F, std::multiplies<>>
inline constexpr std::size_t kPlainMap<MappedBoth<I1, I2, T, F>> =
    sizeof(std::iter_value_t<I1>) + sizeof(std::iter_value_t<I2>);

/// An operation with an identity, which std::plus has for numbers: -0.0, or 0.
template <class Op, class T>
inline constexpr bool kHasIdentity =
    std::is_arithmetic_v<T> && (std::same_as<Op, std::plus<>> || std::same_as<Op, std::plus<T>>);

}  // namespace furca::detail
