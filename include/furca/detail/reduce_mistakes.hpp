// What answers a parallel_reduce that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/contribution.hpp>
#include <furca/detail/index_range.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/options.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace furca {

namespace detail {

/// Bounds that are no indices of a loop, and ranges that cannot be entered in the middle.
struct NoIndex {};
struct NoElements {
  using type = NoElements;
};
template <class Range>
struct ElementsOf {
  using type = std::ranges::range_reference_t<Range>;
};

/// Stands for an operation that the call has not named, and is std::plus<>.
struct NoOp {};

/// Why Op does not combine accumulators.
template <class T, class Op>
auto explain_op() {
  if constexpr (std::is_same_v<Op, NoOp>) {
    static_assert(kFits<T>, "furca: without op a reduction adds up, and accumulators of this type cannot be added: write "
                            "parallel_reduce(0, n, identity, map, op)");
  } else if constexpr (std::is_same_v<std::remove_cvref_t<Op>, LoopOptions>) {
    static_assert(kFits<Op>, "furca: options of a reduction are a furca::ReduceOptions: write parallel_reduce(0, n, identity, map, op, {.grain = "
                             "64})");
  } else if constexpr (std::is_invocable_v<Op&, T, T>) {
    using Combined = std::invoke_result_t<Op&, T, T>;
    if constexpr (std::is_convertible_v<Combined, T>) {
      static_assert(kCombinesInto<std::remove_cvref_t<Combined>, T>, "furca: accumulators have the identity's type, and what op returns does not "
                                                                     "fit into it: write the identity as "
                                                  "0.0 for double, as 0L for long, or convert in op");
    } else {
      static_assert(kFits<Combined, T>, "furca: op returns what two accumulators make together: write [](T a, const T& b) { ...; return a; }");
    }
  } else if constexpr (std::is_invocable_v<Op&, T&, T&>) {
    static_assert(kFits<Op, T>, "furca: op is given rvalues, so it takes accumulators by value, or the second one by const reference, and returns "
                                "what they make: "
                                "write [](T a, const T& b) { ...; return a; }");
  } else {
    static_assert(kFits<Op, T>, "furca: op combines two accumulators into one: write [](T a, const T& b) { ...; return a; }, or std::plus<>{}");
  }
  return Anything();
}

/// Something to call, where the identity should be.
template <class X, class T>
inline constexpr bool kIsFunction = std::is_invocable_v<T&, X> || std::is_invocable_v<T&, X, X>;
template <class T>
inline constexpr bool kIsFunction<NoIndex, T> = false;
template <class T>
inline constexpr bool kIsFunction<NoElements, T> = false;

/// What the call would return, if that is known.
template <class X, class T>
using Reduced = std::conditional_t<kIsFunction<X, T>, Anything, T>;

/// Why there is no reduction with accumulators of type T to which each X contributes through Map, and which Op combines. Returns, as the call does, what the
/// right call would return.
template <class X, class T, class Map, class Op>
auto explain_reduction() {
  constexpr bool kTakesX = std::is_invocable_v<Map&, X>;
  constexpr bool kTakesBoth = std::is_invocable_v<Map&, T&, X>;
  constexpr bool kOpGiven = !std::is_same_v<Op, NoOp>;
  if constexpr (kIsFunction<X, T> || (kOpGiven && !kTakesX && std::is_invocable_v<Op&, X>)) {
    static_assert(kFits<T, Map, Op>, "furca: the order is parallel_reduce(first, last, identity, map, op), or parallel_reduce(range, identity, map, "
                                     "op), where the identity is "
                                     "the value to begin with, as 0.0");
  } else if constexpr (!std::copy_constructible<T> || !std::movable<T>) {
    static_assert(kFits<T>, "furca: every accumulator begins as a copy of the identity, and is moved: give it a type that can be copied and moved");
  } else if constexpr (MapsTo<Map, X, T>) {
    using Contributed = std::invoke_result_t<Map&, X>;
    static_assert(kFitsInto<std::remove_cvref_t<Contributed>, T>, "furca: accumulators have the identity's type, and what map returns does not fit "
                                                                  "into it: write the identity as "
                                             "0.0 for double, as 0L for long, or convert in map");
    if constexpr (kFitsInto<Contributed, T>) static_cast<void>(detail::explain_op<T, Op>());
  } else if constexpr (FoldsInto<Map, X, T>) {
    if constexpr (kOpGiven) {
      static_cast<void>(detail::explain_op<T, Op>());
    } else {
      static_assert(kFits<Map>, "furca: a fold needs an op, which combines two accumulators: write "
                                "parallel_reduce(range, identity, fold, [](T a, const T& b) { ...; return a; })");
    }
  } else if constexpr (!kTakesX && !kOpGiven && std::is_invocable_v<Map&, T&, T&>) {
    static_assert(kFits<Map>, "furca: map is missing, which says what an index or element contributes: write parallel_reduce(range, identity, map, "
                              "op), "
                              "with std::identity{} for elements as they are");
  } else if constexpr (kTakesBoth) {
    static_assert(kFits<Map>, "furca: what is called with an accumulator changes it in place: it takes it by lvalue reference and returns nothing: "
                              "write "
                              "[&](T& accumulator, int i) { accumulator += x[i]; }, or else a map, [&](int i) { return x[i]; }");
  } else if constexpr (kTakesX) {
    static_assert(kFits<std::invoke_result_t<Map&, X>, T>, "furca: map returns what an index or element contributes, and this does not convert to "
                                                           "the identity's type: "
                                                           "write [&](int i) { return x[i]; }");
  } else {
    static_assert(kFits<Map, X>, "furca: map is called with an index, or with an element as it is in the range (const, or a value, if that is so): "
                                 "write "
                                 "[&](int i) { return x[i]; } or [](const auto& element) { return f(element); }");
  }
  return detail::made_up<Reduced<X, T>>();
}

template <class X, class T, class Map, class Op>
  requires std::same_as<X, NoIndex>
auto explain_reduction() {
  static_assert(kFits<X>, "furca: a reduction counts with integers of up to 64 bits, and not with bool: write parallel_reduce(0, 2, identity, map, "
                          "op)");
  return detail::made_up<Reduced<X, T>>();
}

template <class X, class T, class Map, class Op>
  requires std::same_as<X, NoElements>
auto explain_reduction() {
  static_assert(kFits<X>, "furca: a reduction runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of other "
                          "ranges, or "
                          "pointers to them, into a std::vector first");
  return detail::made_up<Reduced<X, T>>();
}

/// What contributes, or that there is nothing of the kind.
template <class First, class Last>
using IndexOf = std::conditional_t<LoopIndex<std::common_type_t<First, Last>>, std::common_type_t<First, Last>, NoIndex>;
template <class Range>
using ElementOf = typename std::conditional_t<std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>, ElementsOf<Range>, NoElements>::type;

}  // namespace detail

/// @cond
template <std::integral First, std::integral Last, class T, detail::NotOptions Map>
auto parallel_reduce(First, Last, const T&, Map&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_reduction<detail::IndexOf<First, Last>, T, Map, detail::NoOp>();
}

template <std::integral First, std::integral Last, class T, class Map, detail::NotOptions Op>
auto parallel_reduce(First, Last, const T&, Map&&, Op&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_reduction<detail::IndexOf<First, Last>, T, Map, Op>();
}

template <std::ranges::range Range, class T>
auto parallel_reduce(Range&&, const T&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_reduction<detail::ElementOf<Range>, T, std::identity, detail::NoOp>();
}

template <std::ranges::range Range, class T, detail::NotOptions Map>
auto parallel_reduce(Range&&, const T&, Map&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_reduction<detail::ElementOf<Range>, T, Map, detail::NoOp>();
}

template <std::ranges::range Range, class T, class Map, detail::NotOptions Op>
auto parallel_reduce(Range&&, const T&, Map&&, Op&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_reduction<detail::ElementOf<Range>, T, Map, Op>();
}

template <class... Arguments>
  requires(... && detail::NotOptions<Arguments>)
auto parallel_reduce(const Arguments&...) {
  constexpr std::size_t kCount = sizeof...(Arguments);
  using First = detail::Argument<0, Arguments...>;
  using Second = detail::Argument<1, Arguments...>;
  if constexpr (detail::kIterators<First, Second> && std::contiguous_iterator<First>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_reduce(v, identity, map, op) for all of it, "
                                               "parallel_reduce(std::span(first, last), ...) or parallel_reduce(std::span(pointer, n), ...) for a "
                                               "part");
  } else if constexpr (detail::kIterators<First, Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_reduce(container, identity, map, op) for all of it, "
                                               "parallel_reduce(std::ranges::subrange(first, last), ...) for a part");
  } else if constexpr (std::floating_point<First> || (std::integral<First> && std::floating_point<Second> && kCount > 4)) {
    static_assert(detail::kFits<Arguments...>, "furca: a reduction counts with integers: write "
                                               "parallel_reduce(0, n, identity, [&](int i) { return f(first + i * step); }, op)");
  } else if constexpr ((std::same_as<std::decay_t<Arguments>, LoopOptions> || ...)) {
    static_assert(detail::kFits<Arguments...>, "furca: options of a reduction are a furca::ReduceOptions: write parallel_reduce(0, n, identity, "
                                               "map, op, {.grain = 64})");
  } else if constexpr (kCount > 4 && detail::kOption<detail::Argument<kCount - 1, Arguments...>>) {
    static_assert(detail::kFits<Arguments...>, "furca: options of a reduction have names: write "
                                               "parallel_reduce(0, n, identity, map, op, {.grain = 64, .stop = token, .progress = &progress})");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: write parallel_reduce(first, last, identity, map, op) or parallel_reduce(range, identity, "
                                               "map, op), and options "
                                               "behind it in braces: {.grain = 64}");
  }
  return detail::Anything();
}
/// @endcond

}  // namespace furca
