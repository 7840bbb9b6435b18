// What answers a call of an algorithm that cannot be (mistakes.hpp): which mistake it is, as far as several algorithms have it, and the
// sentences. Names, and what only a few of them have: search_mistakes.hpp, pack_mistakes.hpp, scan_mistakes.hpp, sort_mistakes.hpp and so on.
//
// Names that std has too begin with `int = 0`, a template argument that no type is: max<std::size_t>(n, 3), with both namespaces in scope, is a call of std::max.
// Checked by: tests/lookup_test.cpp ("explicit template arguments are for std's, with both namespaces in scope")
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

/// What is wrong with a call: tell() has the sentences.
enum class Mistake {
  iterators, output_iterator, other_range, bits, no_predicate, predicate_behind_projection, predicate_returns_nothing, value_for_predicate,
  predicate_is_fixed, predicate, no_value, predicate_for_value, value, no_order, comparison_behind_projection, comparison_returns_nothing,
  comparison, no_equality, equality_behind_projection, equality_returns_nothing, equality, fixed_elements, no_output, output_behind_predicate,
  output, other
};

/// With its ranges.
template <Takes kTakes, class... Arguments>
consteval Mistake mistake_of_ranges() {
  using First = AlgorithmArgument<0, Arguments...>;
  using Second = AlgorithmArgument<1, Arguments...>;
  constexpr bool kTwo = kTakes == Takes::range_and_output || kTakes == Takes::two_ranges;
  if constexpr (kIterator<First>) {
    return Mistake::iterators;
  } else if constexpr (kTakes == Takes::range_and_output && kIterator<Second>) {
    return Mistake::output_iterator;
  } else if constexpr (kOtherRange<First> || (kTwo && kOtherRange<Second>)) {
    return Mistake::other_range;
  } else if constexpr ((kTakes == Takes::range_to_change && is_range_of_bits<First>()) || (kTakes == Takes::range_and_output && is_range_of_bits<Second>())) {
    return Mistake::bits;
  } else {
    return Mistake::other;
  }
}

/// With nothing of its ranges, so that elements can be asked for.
template <Takes kTakes, class... Arguments>
consteval bool has_right_ranges() {
  constexpr bool kTwo = kTakes == Takes::range_and_output || kTakes == Takes::two_ranges;
  return mistake_of_ranges<kTakes, Arguments...>() == Mistake::other && std::ranges::range<AlgorithmArgument<0, Arguments...>> &&
         (!kTwo || std::ranges::range<AlgorithmArgument<1, Arguments...>>);
}

/// A function that is called with these arguments answers yes or no.
template <class F, class... Args>
concept Decides = std::predicate<std::remove_cvref_t<F>&, Args...>;

template <class F, class... Args>
consteval bool returns_nothing() {
  if constexpr (std::invocable<std::remove_cvref_t<F>&, Args...>) {
    return std::is_void_v<std::invoke_result_t<std::remove_cvref_t<F>&, Args...>>;
  } else {
    return false;
  }
}

/// F makes of an X what one of the others decides about.
template <class F, class X, class... More>
consteval bool projects_for_next() {
  if constexpr (sizeof...(More) > 0 && std::invocable<std::remove_cvref_t<F>&, X> && !returns_nothing<F, X>()) {
    return (... || Decides<More, std::invoke_result_t<std::remove_cvref_t<F>&, X>>);
  } else {
    return false;
  }
}

/// With a predicate of elements X, and what follows it.
template <class X>
consteval Mistake mistake_of_predicate() {
  return Mistake::no_predicate;
}
template <class X, class Pred, class... More>
consteval Mistake mistake_of_predicate() {
  if constexpr (projects_for_next<Pred, X, More...>()) {
    return Mistake::predicate_behind_projection;
  } else if constexpr (returns_nothing<Pred, X>()) {
    return Mistake::predicate_returns_nothing;
  } else if constexpr (std::convertible_to<Pred, std::remove_cvref_t<X>> && !std::invocable<std::remove_cvref_t<Pred>&, X>) {
    return Mistake::value_for_predicate;
  } else if constexpr (!std::copy_constructible<std::remove_cvref_t<Pred>>) {
    return Mistake::predicate_is_fixed;
  } else {
    return Mistake::predicate;
  }
}

/// With a comparison of elements X by == with elements Y, and what follows it.
template <class X, class Y>
consteval Mistake mistake_of_equality() {
  return Mistake::no_equality;
}
template <class X, class Y, class Equal, class... More>
consteval Mistake mistake_of_equality() {
  if constexpr (std::invocable<std::remove_cvref_t<Equal>&, X>) {
    return Mistake::equality_behind_projection;
  } else if constexpr (returns_nothing<Equal, X, Y>()) {
    return Mistake::equality_returns_nothing;
  } else {
    return Mistake::equality;
  }
}

/// Behind one range.
template <class Range, class... More>
consteval Mistake mistake_of_predicate_behind() {
  return mistake_of_predicate<std::ranges::range_reference_t<Range>, More...>();
}
template <class Range, class... More>
consteval Mistake mistake_of_neighbours() {
  using X = std::ranges::range_reference_t<Range>;
  return mistake_of_equality<X, X, More...>();
}

/// Of an algorithm that takes ranges as `kTakes` says, and a predicate behind one range.
template <Takes kTakes, class... Arguments>
consteval Mistake mistake_with_predicate() {
  if constexpr (has_right_ranges<kTakes, Arguments...>()) {
    return mistake_of_predicate_behind<Arguments...>();
  } else {
    return mistake_of_ranges<kTakes, Arguments...>();
  }
}

/// The same with a comparison of neighbours by ==.
template <Takes kTakes, class... Arguments>
consteval Mistake mistake_with_neighbours() {
  if constexpr (has_right_ranges<kTakes, Arguments...>()) {
    return mistake_of_neighbours<Arguments...>();
  } else {
    return mistake_of_ranges<kTakes, Arguments...>();
  }
}

/// Says it, of a call with these arguments.
template <Mistake kMistake, class... Arguments>
auto tell() {
  if constexpr (kMistake == Mistake::iterators) {
    static_assert(kFits<Arguments...>,
                  "furca: a range is one argument, as in std::ranges, without a policy: write find(v, x) for all of it, find(std::span(first, last), x) for a part");
  } else if constexpr (kMistake == Mistake::output_iterator) {
    static_assert(kFits<Arguments...>,
                  "furca: the output is a range too, which has an end: write copy_if(v, out, pred) with a container out that is large enough, or std::span(pointer, n)");
  } else if constexpr (kMistake == Mistake::other_range) {
    static_assert(kFits<Arguments...>,
                  "furca: an algorithm runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of other ranges, or pointers to them, "
                  "into a std::vector first");
  } else if constexpr (kMistake == Mistake::bits) {
    static_assert(kFits<Arguments...>,
                  "furca: elements of std::vector<bool> share bytes, which threads cannot write to at the same time: write to a std::vector<char>");
  } else if constexpr (kMistake == Mistake::no_predicate) {
    static_assert(kFits<Arguments...>,
                  "furca: a predicate is missing: write find_if(v, [](const auto& element) { return element > 0; })");
  } else if constexpr (kMistake == Mistake::predicate_behind_projection) {
    static_assert(kFits<Arguments...>,
                  "furca: a predicate stands before its projection, as in std::ranges: write find_if(v, pred, proj)");
  } else if constexpr (kMistake == Mistake::predicate_returns_nothing) {
    static_assert(kFits<Arguments...>,
                  "furca: a predicate answers true or false, and this one returns nothing: write find_if(v, [](const auto& element) { return element > 0; })");
  } else if constexpr (kMistake == Mistake::value_for_predicate) {
    static_assert(kFits<Arguments...>,
                  "furca: this takes a function, and not a value: write find(v, x), contains(v, x) or count(v, x), or a function that compares: find_if(v, [=](const "
                  "auto& element) { return element == x; })");
  } else if constexpr (kMistake == Mistake::predicate_is_fixed) {
    static_assert(kFits<Arguments...>,
                  "furca: a predicate is copied, and this cannot be: capture a reference or a pointer");
  } else if constexpr (kMistake == Mistake::predicate) {
    static_assert(kFits<Arguments...>,
                  "furca: a predicate is called with an element, or with what the projection behind it makes of one, as they are there (const, or a value, if that is "
                  "so), and answers true or false: write find_if(v, [](const auto& element) { return element > 0; })");
  } else if constexpr (kMistake == Mistake::no_value) {
    static_assert(kFits<Arguments...>,
                  "furca: the value to look for is missing: write find(v, x), contains(v, x), count(v, x)");
  } else if constexpr (kMistake == Mistake::predicate_for_value) {
    static_assert(kFits<Arguments...>,
                  "furca: this takes a value, and not a function: write find_if(v, pred), any_of(v, pred), count_if(v, pred)");
  } else if constexpr (kMistake == Mistake::value) {
    static_assert(kFits<Arguments...>,
                  "furca: elements, or what the projection behind the value makes of them, are compared with the value by ==, and these cannot be: write find(v, x, "
                  "&Record::key), or find_if(v, [=](const auto& element) { return element.key == x; }), and so for any_of and count_if");
  } else if constexpr (kMistake == Mistake::no_order) {
    static_assert(kFits<Arguments...>,
                  "furca: these elements have no order of their own: write min_element(v, {}, &Record::key), or min_element(v, [](const auto& a, const auto& b) { return "
                  "a.key < b.key; })");
  } else if constexpr (kMistake == Mistake::comparison_behind_projection) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison is called with two elements, and its projection stands behind it: write min_element(v, {}, proj), or min_element(v, [](const "
                  "auto& a, const auto& b) { return a < b; })");
  } else if constexpr (kMistake == Mistake::comparison_returns_nothing) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison answers true or false, and this one returns nothing: write min_element(v, [](const auto& a, const auto& b) { return a < b; })");
  } else if constexpr (kMistake == Mistake::comparison) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison is called with two elements, or with what the projection behind it makes of them, in either order: write min_element(v, [](const "
                  "auto& a, const auto& b) { return a < b; })");
  } else if constexpr (kMistake == Mistake::no_equality) {
    static_assert(kFits<Arguments...>,
                  "furca: these elements have no == with each other: write unique(v, [](const auto& a, const auto& b) { return a.key == b.key; }), and so for equal, "
                  "mismatch and adjacent_find");
  } else if constexpr (kMistake == Mistake::equality_behind_projection) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison is called with two elements, and its projection stands behind it: write unique(v, {}, proj), equal(v, w, {}, proj, proj)");
  } else if constexpr (kMistake == Mistake::equality_returns_nothing) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison answers true or false, and this one returns nothing: write unique(v, [](const auto& a, const auto& b) { return a == b; })");
  } else if constexpr (kMistake == Mistake::equality) {
    static_assert(kFits<Arguments...>,
                  "furca: a comparison is called with two elements, or with what the projection behind it makes of them, in either order: write unique(v, [](const auto& "
                  "a, const auto& b) { return a == b; }), and so for equal, mismatch and adjacent_find");
  } else if constexpr (kMistake == Mistake::fixed_elements) {
    static_assert(kFits<Arguments...>,
                  "furca: this moves elements, which cannot be const, or computed as those of zip and lazy: write remove_if(v, pred) with a container v, or filter(v, "
                  "pred) for a new std::vector");
  } else if constexpr (kMistake == Mistake::no_output) {
    static_assert(kFits<Arguments...>,
                  "furca: the output is missing: write copy_if(v, out, pred), or filter(v, pred) for a new std::vector");
  } else if constexpr (kMistake == Mistake::output_behind_predicate) {
    static_assert(kFits<Arguments...>,
                  "furca: the output stands before the predicate, as in std::ranges: write copy_if(v, out, pred)");
  } else if constexpr (kMistake == Mistake::output) {
    static_assert(kFits<Arguments...>,
                  "furca: an element of the output, which cannot be const, is assigned one of the range: write copy_if(v, out, pred) with such a container out, or "
                  "filter(v, pred) for a new std::vector");
  } else {
    static_assert(kFits<Arguments...>,
                  "furca: what follows a range must fit its elements, and its order is that of std::ranges: value or function, then projection: write find_if(v, "
                  "[](const auto& element) { return true; })");
  }
  return Anything();
}

}  // namespace furca::detail
