// What answers a histogram, count_by, reduce_by or group_by that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <type_traits>

namespace furca::detail {

/// What is wrong with a call: tell_group() has the sentences.
enum class GroupMistake {
  no_key, key_is_no_function, key_returns_nothing, key, no_value, value_behind_operation, value_is_no_function, value_is_bool, value, operation,
  no_bins, bin, ranges
};

/// What a function makes of an element.
template <class F, class X>
using KeyOf = std::remove_cvref_t<std::invoke_result_t<std::remove_cvref_t<F>&, X>>;

template <class X, class Key>
consteval GroupMistake mistake_of_key() {
  if constexpr (!std::invocable<std::remove_cvref_t<Key>&, X>) {
    return GroupMistake::key_is_no_function;
  } else if constexpr (returns_nothing<Key, X>()) {
    return GroupMistake::key_returns_nothing;
  } else if constexpr (!std::totally_ordered<KeyOf<Key, X>> || !std::copyable<KeyOf<Key, X>>) {
    return GroupMistake::key;
  } else {
    return GroupMistake::ranges;  // none
  }
}

template <class X, class Value, class... Op>
consteval GroupMistake mistake_of_group_value() {
  if constexpr (std::invocable<std::remove_cvref_t<Value>&, X, X> || std::invocable<std::remove_cvref_t<Value>&, double, double>) {
    return GroupMistake::value_behind_operation;
  } else if constexpr (!std::invocable<std::remove_cvref_t<Value>&, X> || returns_nothing<Value, X>()) {
    return GroupMistake::value_is_no_function;
  } else if constexpr (!std::constructible_from<KeyOf<Value, X>, std::invoke_result_t<std::remove_cvref_t<Value>&, X>>) {
    return GroupMistake::value;
  } else {
    return std::same_as<KeyOf<Value, X>, bool> ? GroupMistake::value_is_bool : GroupMistake::operation;
  }
}

/// Which of the functions is called.
enum class GroupsBy { count_by, group_by, reduce_by, histogram };

template <GroupsBy kWhich, class Range, class... More>
consteval GroupMistake mistake_of_groups() {
  using X = std::ranges::range_reference_t<Range>;
  using Key = std::conditional_t<sizeof...(More) == 0, std::identity, AlgorithmArgument<0, More...>>;
  using Value = AlgorithmArgument<1, More...>;
  if constexpr (kWhich == GroupsBy::histogram) {
    return std::integral<std::remove_cvref_t<AlgorithmArgument<0, More..., void*>>> ? GroupMistake::bin : GroupMistake::no_bins;
  } else if constexpr (kWhich != GroupsBy::count_by && sizeof...(More) == 0) {
    return GroupMistake::no_key;
  } else if constexpr (mistake_of_key<X, Key>() != GroupMistake::ranges) {
    return mistake_of_key<X, Key>();
  } else if constexpr (sizeof...(More) < 2) {
    return kWhich == GroupsBy::reduce_by ? GroupMistake::no_value : GroupMistake::value;
  } else {
    constexpr GroupMistake kMistake = mistake_of_group_value<X, Value>();
    return kMistake == GroupMistake::value_is_bool && kWhich == GroupsBy::reduce_by ? GroupMistake::operation : kMistake;
  }
}

template <GroupsBy kWhich, class... Arguments>
consteval GroupMistake mistake_with_groups() {
  if constexpr (has_right_ranges<Takes::range, Arguments...>()) {
    return mistake_of_groups<kWhich, Arguments...>();
  } else {
    return GroupMistake::ranges;
  }
}

/// Says it, of a call with these arguments.
template <GroupMistake kMistake, class... Arguments>
auto tell_group() {
  if constexpr (kMistake == GroupMistake::no_key) {
    static_assert(kFits<Arguments...>,
                  "furca: what elements are grouped by is missing: write group_by(v, key), reduce_by(v, key, value), as group_by(orders, &Order::customer)");
  } else if constexpr (kMistake == GroupMistake::key_is_no_function) {
    static_assert(kFits<Arguments...>,
                  "furca: a key is a function of an element: write count_by(v, [](const auto& element) { return element % 7; }), or group_by(orders, &Order::customer)");
  } else if constexpr (kMistake == GroupMistake::key_returns_nothing) {
    static_assert(kFits<Arguments...>,
                  "furca: a key is what a function of an element returns, and this one returns nothing: write count_by(v, [](const auto& element) { return element % 7; "
                  "})");
  } else if constexpr (kMistake == GroupMistake::key) {
    static_assert(kFits<Arguments...>,
                  "furca: keys have == and < and their like, and are copied, as numbers, strings and tuples: write auto operator<=>(const Key&) const = default into a "
                  "struct, or return a std::tuple of what makes the key");
  } else if constexpr (kMistake == GroupMistake::no_value) {
    static_assert(kFits<Arguments...>,
                  "furca: what is added up is missing: write reduce_by(v, key, value), as reduce_by(orders, &Order::customer, &Order::price), or count_by(v, key) for "
                  "how many there are");
  } else if constexpr (kMistake == GroupMistake::value_behind_operation) {
    static_assert(kFits<Arguments...>,
                  "furca: the value of an element stands before the operation: write reduce_by(v, key, value, op), as reduce_by(orders, &Order::customer, &Order::price, "
                  "std::plus<>{})");
  } else if constexpr (kMistake == GroupMistake::value_is_no_function) {
    static_assert(kFits<Arguments...>,
                  "furca: a value is what a function of an element returns: write group_by(orders, &Order::customer, &Order::price), and so for reduce_by");
  } else if constexpr (kMistake == GroupMistake::value_is_bool) {
    static_assert(kFits<Arguments...>,
                  "furca: rows of values are std::spans, which a std::vector<bool> has not: return a char in place of the bool");
  } else if constexpr (kMistake == GroupMistake::value) {
    static_assert(kFits<Arguments...>,
                  "furca: values are copied out of elements, which stay: where they cannot be copied write group_by(v, key, [](const auto& element) { return &element; })");
  } else if constexpr (kMistake == GroupMistake::operation) {
    static_assert(kFits<Arguments...>,
                  "furca: the operation is given two values, as rvalues, and returns one: write reduce_by(v, key, value, [](double a, double b) { return a + b; })");
  } else if constexpr (kMistake == GroupMistake::no_bins) {
    static_assert(kFits<Arguments...>,
                  "furca: the number of bins, an integer, stands before what gives an element its bin: write histogram(v, 256, bin_of)");
  } else if constexpr (kMistake == GroupMistake::bin) {
    static_assert(kFits<Arguments...>,
                  "furca: what gives an element its bin returns an integer from 0 on: write histogram(v, 256, [](const auto& element) { return "
                  "static_cast<std::size_t>(element / 10); })");
  } else {
    return detail::tell<mistake_of_ranges<Takes::range, Arguments...>(), Arguments...>();
  }
  return Anything();
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <class... Arguments>
auto histogram(Arguments&&...) {
  return detail::tell_group<detail::mistake_with_groups<detail::GroupsBy::histogram, Arguments...>(), Arguments...>();
}
template <class... Arguments>
auto count_by(Arguments&&...) {
  return detail::tell_group<detail::mistake_with_groups<detail::GroupsBy::count_by, Arguments...>(), Arguments...>();
}
template <class... Arguments>
auto reduce_by(Arguments&&...) {
  return detail::tell_group<detail::mistake_with_groups<detail::GroupsBy::reduce_by, Arguments...>(), Arguments...>();
}
template <class... Arguments>
auto group_by(Arguments&&...) {
  return detail::tell_group<detail::mistake_with_groups<detail::GroupsBy::group_by, Arguments...>(), Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
