// What answers a parallel_for that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/index_range.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/options.hpp>
#include <furca/stop_token.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace furca {

namespace detail {

/// A pair of iterators, or a pointer and a number of elements.
template <class First, class Second>
inline constexpr bool kIterators = std::input_iterator<First> && (std::same_as<First, Second> || std::integral<Second>);

/// What an option is given by instead of its name; or options of the wrong function.
template <class T>
inline constexpr bool kOption = std::integral<T> || Asked<T> || std::same_as<T, StopToken> || std::same_as<T, Progress*> || std::same_as<T, ReduceTree> ||
                                std::same_as<T, LoopOptions> || std::same_as<T, ReduceOptions>;

/// The type of an argument, which may be missing.
template <std::size_t N, class... Arguments>
using Argument = std::tuple_element_t<N, std::tuple<std::decay_t<Arguments>..., void, void, void, void>>;

}  // namespace detail

/// @cond
template <std::integral First, std::integral Last, class Body>
void parallel_for(First, Last, Body&&, const LoopOptions& = {}, const SourceLocation = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  if constexpr (!detail::LoopIndex<Index>) {
    static_assert(detail::kFits<First, Last>, "furca: a loop counts with integers of up to 64 bits, and not with bool: write parallel_for(0, 2, "
                                              "body)");
  } else if constexpr (std::is_invocable_v<Body&, Index&>) {
    static_assert(detail::kFits<Body, Index>, "furca: body gets the index as a value, which is not to be changed: write parallel_for(0, n, [&](int "
                                              "i) { ... })");
  } else {
    static_assert(detail::kFits<Body, Index>, "furca: body is called with the index, of the type that both ends have in common: write "
                                              "parallel_for(0, n, [&](int i) { ... })");
  }
}

template <std::ranges::range Range, class Body>
void parallel_for(Range&&, Body&&, const LoopOptions& = {}, const SourceLocation = SourceLocation::current()) {
  if constexpr (!std::ranges::random_access_range<Range> || !std::ranges::sized_range<Range>) {
    static_assert(detail::kFits<Range>, "furca: a loop runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of "
                                        "other "
                                        "ranges, or pointers to them, into a std::vector first");
  } else {
    using Value = std::ranges::range_value_t<Range>;
    using Reference = std::ranges::range_reference_t<Range>;
    if constexpr (!std::is_reference_v<Reference> && std::is_invocable_v<Body&, Reference&>) {
      static_assert(detail::kFits<Body, Reference>, "furca: elements of this range, as those of zip and lazy, are made as they are read: body takes them by value: write "
                                                    "parallel_for(range, [&](auto element) { ... })");
    } else if constexpr (std::is_const_v<std::remove_reference_t<Reference>> && std::is_invocable_v<Body&, Value&>) {
      static_assert(detail::kFits<Body, Reference>, "furca: elements of this range are const, and body takes them as ones to change: write parallel_for(range, [&](const auto& "
                                                    "element) { ... }), or use a range that is not const, as one is that a lambda captures by value");
    } else if constexpr (!std::copy_constructible<Value> && std::is_invocable_v<Body&, Value>) {
      static_assert(detail::kFits<Body, Reference>, "furca: elements of this range cannot be copied, and body takes them by value: write parallel_for(range, [&](auto& element) { "
                                                    "... })");
    } else {
      static_assert(detail::kFits<Body, Reference>, "furca: body is called with an element of the range, as it is there: write parallel_for(range, [&](const auto& element) { ... "
                                                    "})");
    }
  }
}

template <class... Arguments>
  requires(... && !std::convertible_to<Arguments, const LoopOptions&>)
void parallel_for(Arguments&&...) {
  constexpr std::size_t kCount = sizeof...(Arguments);
  using First = detail::Argument<0, Arguments...>;
  using Second = detail::Argument<1, Arguments...>;
  using Third = detail::Argument<2, Arguments...>;
  using Fourth = detail::Argument<3, Arguments...>;
  if constexpr (detail::kIterators<First, Second> && std::contiguous_iterator<First>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_for(v, body) for all of it, "
                                               "parallel_for(std::span(first, last), body) "
                                               "or parallel_for(std::span(pointer, n), body) for a part");
  } else if constexpr (detail::kIterators<First, Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_for(container, body) for all of it, "
                                               "parallel_for(std::ranges::subrange(first, last), body) for a part");
  } else if constexpr (std::floating_point<First> || std::floating_point<Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a loop counts with integers: write parallel_for(0, n, [&](int i) { const double x = first + "
                                               "i * step; ... })");
  } else if constexpr (kCount == 2 && std::integral<First>) {
    static_assert(detail::kFits<Arguments...>, "furca: a loop has a beginning and an end: write parallel_for(0, n, body)");
  } else if constexpr (kCount == 4 && std::integral<First> && std::integral<Second> && std::integral<Third> && !std::integral<Fourth>) {
    static_assert(detail::kFits<Arguments...>, "furca: a loop counts by one: for every step-th index write "
                                               "parallel_for(0, (last - first + step - 1) / step, [&](int k) { const int i = first + k * step; ... "
                                               "})");
  } else if constexpr ((kCount == 3 && detail::kOption<Third> && !std::integral<Second>) || (kCount == 4 && detail::kOption<Fourth>)) {
    static_assert(detail::kFits<Arguments...>, "furca: options of a loop have names: write parallel_for(0, n, body, {.grain = 64, .stop = token, "
                                               ".progress = &progress})");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: write parallel_for(first, last, body) for indices, parallel_for(range, body) for elements, "
                                               "and options behind it "
                                               "in braces: {.grain = 64}");
  }
}
/// @endcond

}  // namespace furca
