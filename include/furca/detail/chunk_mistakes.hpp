// What answers a parallel_for_chunks or parallel_reduce_chunks that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/contribution.hpp>
#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/reduce_mistakes.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/options.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace furca {

namespace detail {

template <class Range>
using SpanOf = std::span<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// A chunk of a range is a span, if it can be.
template <class Range>
struct ChunkOf {
  using type = NoElements;
};
template <class Range>
  requires std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range>
struct ChunkOf<Range> {
  using type = SpanOf<Range>;
};

/// Something to call with an accumulator and a chunk: with both ends, or with the span.
template <class F, class T, class X>
inline constexpr bool kTakesChunk = std::is_invocable_v<F&, T&, X>;
template <class F, class T, std::integral X>
inline constexpr bool kTakesChunk<F, T, X> = std::is_invocable_v<F&, T&, X, X>;

template <class F, class T, class X>
concept FoldsChunk = (std::integral<X> && Folds<F, T, X, X>) || (!std::integral<X> && Folds<F, T, X>);

/// Why there is no reduction over chunks, X for each index or X each, with accumulators of type T to which Fold adds them, and which Op combines. Returns, as
/// the call does, what the right call would return.
template <class X, class T, class Fold, class Op>
auto explain_chunk_reduction() {
  constexpr bool kFunctionAsIdentity = kTakesChunk<T, Fold, X> || kTakesChunk<T, Op, X>;
  if constexpr (std::is_same_v<X, NoIndex>) {
    static_assert(kFits<X>, "furca: a reduction counts with integers of up to 64 bits, and not with bool: write parallel_reduce_chunks(0, 2, identity, "
                            "fold, op)");
  } else if constexpr (std::is_same_v<X, NoElements>) {
    static_assert(kFits<X>, "furca: a chunk of a range is a std::span, so the elements must lie side by side, as in a std::vector: for others write "
                            "parallel_reduce_chunks(std::size_t{0}, size, identity, fold, op) with [&](T& accumulator, std::size_t lo, std::size_t hi) { "
                            "... }");
  } else if constexpr (kFunctionAsIdentity) {
    static_assert(kFits<T, Fold>, "furca: the order is parallel_reduce_chunks(first, last, identity, fold, op), or parallel_reduce_chunks(range, identity, "
                                  "fold, op), where the identity is the value to begin with, as 0.0");
  } else if constexpr (!std::copy_constructible<T> || !std::movable<T>) {
    static_assert(kFits<T>, "furca: every accumulator begins as a copy of the identity, and is moved: give it a type that can be copied and moved");
  } else if constexpr (FoldsChunk<Fold, T, X>) {
    static_cast<void>(detail::explain_op<T, Op>());
  } else if constexpr (std::integral<X>) {
    static_assert(kFits<Fold, T, X>, "furca: fold adds a stretch to an accumulator in place: it takes the accumulator by lvalue reference, the first index "
                                     "and the one behind the last, and returns nothing: write [&](T& accumulator, int lo, int hi) { accumulator += kernel(x "
                                     "+ lo, hi - lo); }");
  } else {
    static_assert(kFits<Fold, T, X>, "furca: fold adds a part of the range to an accumulator in place: it takes the accumulator by lvalue reference and the "
                                     "part by value, a std::span, and returns nothing: write [](T& accumulator, std::span<const double> part) { accumulator "
                                     "+= kernel(part.data(), part.size()); }");
  }
  return detail::made_up<std::conditional_t<kFunctionAsIdentity, Anything, T>>();
}

}  // namespace detail

/// @cond
template <std::integral First, std::integral Last, class Body>
void parallel_for_chunks(First, Last, Body&&, const LoopOptions& = {}, const SourceLocation = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  if constexpr (!detail::LoopIndex<Index>) {
    static_assert(detail::kFits<First, Last>, "furca: a loop counts with integers of up to 64 bits, and not with bool: write parallel_for_chunks(0, 2, "
                                              "body)");
  } else if constexpr (std::is_invocable_v<Body&, Index>) {
    static_assert(detail::kFits<Body, Index>, "furca: this body gets one index: write parallel_for(0, n, body), or for a stretch at a time "
                                              "parallel_for_chunks(0, n, [&](int lo, int hi) { ... })");
  } else {
    static_assert(detail::kFits<Body, Index>, "furca: body is called with the first index of a stretch and the one behind its last, as values: write "
                                              "parallel_for_chunks(0, n, [&](int lo, int hi) { for (int i = lo; i < hi; ++i) ... })");
  }
}

template <std::ranges::range Range, class Body>
void parallel_for_chunks(Range&&, Body&&, const LoopOptions& = {}, const SourceLocation = SourceLocation::current()) {
  if constexpr (!std::ranges::contiguous_range<Range> || !std::ranges::sized_range<Range>) {
    static_assert(detail::kFits<Range>, "furca: a chunk of a range is a std::span, so the elements must lie side by side, as in a std::vector: for others "
                                        "write parallel_for_chunks(std::size_t{0}, size, [&](std::size_t lo, std::size_t hi) { ... })");
  } else if constexpr (std::is_invocable_v<Body&, std::size_t, std::size_t>) {
    static_assert(detail::kFits<Body>, "furca: a body for indices needs a beginning and an end: write parallel_for_chunks(std::size_t{0}, range.size(), "
                                       "body)");
  } else if constexpr (std::is_invocable_v<Body&, std::ranges::range_reference_t<Range>>) {
    static_assert(detail::kFits<Body>, "furca: this body gets one element: write parallel_for(range, body), or for a part at a time "
                                       "parallel_for_chunks(range, [](std::span<float> part) { ... })");
  } else {
    static_assert(detail::kFits<Body, detail::SpanOf<Range>>, "furca: body is called with a part of the range as a value, a std::span of elements as they are "
                                                              "there (const, if that is so): write parallel_for_chunks(range, [](std::span<float> part) { "
                                                              "... })");
  }
}

template <class... Arguments>
  requires(... && !std::convertible_to<Arguments, const LoopOptions&>)
void parallel_for_chunks(Arguments&&...) {
  constexpr std::size_t kCount = sizeof...(Arguments);
  using First = detail::Argument<0, Arguments...>;
  using Second = detail::Argument<1, Arguments...>;
  using Third = detail::Argument<2, Arguments...>;
  if constexpr (detail::kIterators<First, Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_for_chunks(v, body) for all of it, or "
                                               "parallel_for_chunks(std::span(first, last), body) or parallel_for_chunks(std::span(pointer, n), body) for a part");
  } else if constexpr (std::floating_point<First> || std::floating_point<Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a loop counts with integers: write parallel_for_chunks(0, n, body)");
  } else if constexpr (kCount == 2 && std::integral<First>) {
    static_assert(detail::kFits<Arguments...>, "furca: a loop has a beginning and an end: write parallel_for_chunks(0, n, body)");
  } else if constexpr ((kCount == 3 && std::integral<Second>) || (kCount == 4 && std::integral<Third>)) {
    static_assert(detail::kFits<Arguments...>, "furca: the least length of a chunk is an option: write parallel_for_chunks(range, body, {.grain = 64})");
  } else if constexpr (detail::kOption<detail::Argument<kCount - 1, Arguments...>>) {
    static_assert(detail::kFits<Arguments...>, "furca: options of a loop have names: write parallel_for_chunks(0, n, body, {.grain = 64, .stop = token, "
                                               ".progress = &progress})");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: write parallel_for_chunks(first, last, body) for indices, parallel_for_chunks(range, body) for "
                                               "elements, and options behind it in braces: {.grain = 64}");
  }
}

template <std::integral First, std::integral Last, class T, class Fold, detail::NotOptions Op>
auto parallel_reduce_chunks(First, Last, const T&, Fold&&, Op&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_chunk_reduction<detail::IndexOf<First, Last>, T, Fold, Op>();
}

template <std::ranges::range Range, class T, class Fold, detail::NotOptions Op>
auto parallel_reduce_chunks(Range&&, const T&, Fold&&, Op&&, const ReduceOptions& = {}, const SourceLocation = SourceLocation::current()) {
  return detail::explain_chunk_reduction<typename detail::ChunkOf<Range>::type, T, Fold, Op>();
}

template <class... Arguments>
  requires(... && detail::NotOptions<Arguments>)
auto parallel_reduce_chunks(const Arguments&...) {
  constexpr std::size_t kCount = sizeof...(Arguments);
  using First = detail::Argument<0, Arguments...>;
  using Second = detail::Argument<1, Arguments...>;
  if constexpr (detail::kIterators<First, Second>) {
    static_assert(detail::kFits<Arguments...>, "furca: a range is one argument: write parallel_reduce_chunks(v, identity, fold, op) for all of it, or "
                                               "parallel_reduce_chunks(std::span(first, last), ...) or parallel_reduce_chunks(std::span(pointer, n), ...) for a part");
  } else if constexpr (std::floating_point<First> || (std::integral<First> && std::floating_point<Second> && kCount > 4)) {
    static_assert(detail::kFits<Arguments...>, "furca: a reduction counts with integers: write parallel_reduce_chunks(0, n, identity, fold, op)");
  } else if constexpr (kCount > 4 && detail::kOption<detail::Argument<kCount - 1, Arguments...>>) {
    static_assert(detail::kFits<Arguments...>, "furca: options of a reduction have names, and are a furca::ReduceOptions: write "
                                               "parallel_reduce_chunks(0, n, identity, fold, op, {.grain = 64, .stop = token, .progress = &progress})");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: write parallel_reduce_chunks(first, last, identity, fold, op) or parallel_reduce_chunks(range, "
                                               "identity, fold, op), where op combines two accumulators, and options behind it in braces: {.grain = 64}");
  }
  return detail::Anything();
}
/// @endcond

}  // namespace furca
