// The functions that give the keys and values of elements, as groupings call them.
#pragma once

#include <furca/detail/algorithms/collecting.hpp>

namespace furca::detail {

template <class R, class F>
using FunctionResult = std::invoke_result_t<F&, std::ranges::range_reference_t<R>>;

/// The type of a key or value function's result for an element, as map stores it.
template <class R, class F>
using FunctionValueOf =
    typename Stored<std::decay_t<FunctionResult<R, F>>, std::ranges::range_reference_t<R>,
                    std::ranges::range_value_t<R>>::type;

/// It is in an element that stays.
template <class R, class F>
inline constexpr bool kStays =
    std::is_lvalue_reference_v<FunctionResult<R, F>> &&
    std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> &&
    std::is_same_v<std::remove_const_t<std::remove_reference_t<FunctionResult<R, F>>>,
                   FunctionValueOf<R, F>>;

/// Values can be made of what a function gives: those that stay are copied.
template <class F, class R>
concept GivesValues = std::move_constructible<FunctionValueOf<R, F>> &&
                      std::convertible_to<FunctionResult<R, F>, FunctionValueOf<R, F>>;

/// Or, where group_by makes places first, assigned.
template <class F, class R>
concept GivesToPlaces =
    GivesValues<F, R> && (!kMadeEmpty<FunctionValueOf<R, F>> || !kStays<R, F> ||
                          std::is_assignable_v<FunctionValueOf<R, F>&, FunctionResult<R, F>>);

/// Nobody sees when or how often it is called.
template <class R, class F>
inline constexpr bool kUnnoticed =
    kStays<R, F> && (std::is_same_v<F, std::identity> || std::is_member_object_pointer_v<F>);

/// f(element i).
template <LoopRange R, class F>
struct FunctionOfElement {
  static constexpr bool kInElements = kUnnoticed<R, F>;
  ProjectedElements<R, F> all;

  FunctionOfElement(R& range, F& f) : all{Elements<R>(range), f} {}
  std::conditional_t<kStays<R, F>, FunctionResult<R, F>, FunctionValueOf<R, F>> operator()(
      std::size_t i) const {
    return detail::invoke(all.proj, all.elements[i]);
  }
};

}  // namespace furca::detail
