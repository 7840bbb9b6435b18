// What answers a scan that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/algorithm_mistakes.hpp>
#include <furca/detail/contribution.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <type_traits>

namespace furca::detail {

enum class ScanMistake {
  no_output, output_behind_value, inclusive_with_value, no_value, value_too_small, sums, no_plus, operation_behind_projection, operation,
  order, ranges
};

/// inclusive_scan(range, out, op, proj).
template <class Range, class Out>
consteval ScanMistake mistake_of_inclusive() {
  using T = std::remove_cvref_t<std::ranges::range_reference_t<Range>>;
  return std::invocable<std::plus<>&, T, T> ? ScanMistake::sums : ScanMistake::no_plus;
}
template <class Range, class Out, class Op, class... More>
consteval ScanMistake mistake_of_inclusive() {
  using X = std::ranges::range_reference_t<Range>;
  using T = std::remove_cvref_t<X>;
  using F = std::remove_cvref_t<Op>&;
  if constexpr ((std::convertible_to<Op, T> && !std::invocable<F, T, T>) || (... || (std::convertible_to<More, T> && !std::invocable<std::remove_cvref_t<More>&, X>))) {
    return ScanMistake::inclusive_with_value;
  } else if constexpr (std::invocable<F, X>) {
    return ScanMistake::operation_behind_projection;
  } else {
    return sizeof...(More) == 0 && std::invocable<F, T, T> ? ScanMistake::sums : ScanMistake::operation;
  }
}

/// exclusive_scan(range, out, first, op, proj).
template <class Range, class Out>
consteval ScanMistake mistake_of_exclusive() {
  return ScanMistake::no_value;
}
template <class Range, class Out, class T, class... More>
consteval ScanMistake mistake_of_exclusive() {
  using X = std::ranges::range_reference_t<Range>;
  using Sum = std::remove_cvref_t<T>;
  if constexpr (std::invocable<Sum&, X, X> || std::invocable<Sum&, X>) {
    return ScanMistake::no_value;
  } else if constexpr (sizeof...(More) == 0 && !kFitsInto<X, Sum>) {
    return ScanMistake::value_too_small;
  } else if constexpr (!std::indirectly_writable<std::ranges::iterator_t<Out>, const Sum&> || !kFitsInto<Sum, std::ranges::range_value_t<Out>>) {
    return ScanMistake::sums;
  } else {
    return ScanMistake::order;
  }
}

template <bool kInclusive, class... Arguments>
consteval ScanMistake mistake_with_scan() {
  using Second = AlgorithmArgument<1, Arguments...>;
  if constexpr (has_right_ranges<Takes::range_and_output, Arguments...>()) {
    if constexpr (kInclusive) {
      return mistake_of_inclusive<Arguments...>();
    } else {
      return mistake_of_exclusive<Arguments...>();
    }
  } else if constexpr (!has_right_ranges<Takes::range, Arguments...>() || std::ranges::range<Second> || kIterator<Second>) {
    return ScanMistake::ranges;
  } else if constexpr (!std::ranges::range<AlgorithmArgument<2, Arguments..., int>>) {
    return ScanMistake::no_output;
  } else {
    return kInclusive ? ScanMistake::inclusive_with_value : ScanMistake::output_behind_value;
  }
}

/// Says it, of a call with these arguments.
template <ScanMistake kMistake, class... Arguments>
auto tell_scan() {
  if constexpr (kMistake == ScanMistake::no_output) {
    static_assert(kFits<Arguments...>,
                  "furca: the output is missing, a range of as many elements: write inclusive_scan(v, out), exclusive_scan(v, out, 0.0), with v for out to change it in "
                  "place");
  } else if constexpr (kMistake == ScanMistake::output_behind_value) {
    static_assert(kFits<Arguments...>,
                  "furca: the output stands before the value to begin with: write exclusive_scan(v, out, 0.0)");
  } else if constexpr (kMistake == ScanMistake::inclusive_with_value) {
    static_assert(kFits<Arguments...>,
                  "furca: inclusive_scan begins with the first element: write inclusive_scan(v, out), or exclusive_scan(v, out, 0.0) for one that begins with a value");
  } else if constexpr (kMistake == ScanMistake::no_value) {
    static_assert(kFits<Arguments...>,
                  "furca: exclusive_scan needs a value to begin with, which has the type of the sums: write exclusive_scan(v, out, 0.0)");
  } else if constexpr (kMistake == ScanMistake::value_too_small) {
    static_assert(kFits<Arguments...>,
                  "furca: sums have the type of the value to begin with, and these elements do not fit into it without loss: write exclusive_scan(v, out, 0.0) for "
                  "double, std::size_t{0} for sizes");
  } else if constexpr (kMistake == ScanMistake::sums) {
    static_assert(kFits<Arguments...>,
                  "furca: an element of the output, which cannot be const, holds a sum without loss; sums have the type of the elements, or of the value to begin with: "
                  "write them into a std::vector of that type");
  } else if constexpr (kMistake == ScanMistake::no_plus) {
    static_assert(kFits<Arguments...>,
                  "furca: these elements have no +: write inclusive_scan(v, out, op), or inclusive_scan(v, out, {}, &Record::value)");
  } else if constexpr (kMistake == ScanMistake::operation_behind_projection) {
    static_assert(kFits<Arguments...>,
                  "furca: the operation stands before its projection, as in std::ranges: write inclusive_scan(v, out, {}, proj)");
  } else if constexpr (kMistake == ScanMistake::operation) {
    static_assert(kFits<Arguments...>,
                  "furca: the operation is given two sums, as rvalues, and returns one, of the type of the elements or of what the projection behind it makes of them: "
                  "write inclusive_scan(v, out, [](double a, double b) { return a + b; })");
  } else if constexpr (kMistake == ScanMistake::order) {
    static_assert(kFits<Arguments...>,
                  "furca: the order is that of std::ranges, exclusive_scan(v, out, first, op, proj), where proj makes of an element, and op of two sums, what fits into "
                  "the type of the first: write exclusive_scan(v, out, 0.0, std::plus<>{}, &Record::value)");
  } else {
    return detail::tell<mistake_of_ranges<Takes::range_and_output, Arguments...>(), Arguments...>();
  }
  return Anything();
}

}  // namespace furca::detail

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto inclusive_scan(Arguments&&...) {
  return detail::tell_scan<detail::mistake_with_scan<true, Arguments...>(), Arguments...>();
}
template <int = 0, class... Arguments>
auto exclusive_scan(Arguments&&...) {
  return detail::tell_scan<detail::mistake_with_scan<false, Arguments...>(), Arguments...>();
}

}  // namespace furca::found_by_name
/// @endcond
