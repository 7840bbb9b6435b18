// transform, copy, fill, generate, for_each: algorithms that write into ranges that exist.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>

FURCA_DECLARES(write);

namespace furca {

/// A LoopRange whose elements several threads may write at the same time, as an algorithm's output.
/// Not std::vector<bool>, whose elements share bytes.
template <class Range>
concept OutputRange = LoopRange<Range> && !detail::kSharesBytes<std::ranges::iterator_t<Range>>;

}  // namespace furca

namespace furca::found_by_name {

/// Writes f(projection(element)) for every element of a range into the elements of another one, in
/// order: out[i] = f(projection(range[i])).
///
/// The algorithm ends where the shorter of the two ranges ends. The result has where it stopped in
/// both: `in` and `out`, as std::ranges::transform and the C++26 algorithms that take an execution
/// policy have it. out may be the range itself; otherwise no two elements of both may overlap. f
/// and projection are called once for each element that is written, by several threads at a time.
/// Exceptions: the one that the serial algorithm would throw. Everything before the throwing
/// element has been written, and some of what is behind it may have been.
/// Complexity: one call each per element; span as parallel_for. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting.
template <LoopRange Range, OutputRange Out, std::move_constructible F,
          class Projection = std::identity>
  requires std::indirectly_writable<
      std::ranges::iterator_t<Out>,
      std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<Range>, Projection>>>
std::ranges::unary_transform_result<detail::Borrowed<Range>, detail::Borrowed<Out>> transform(
    Range&& range, Out&& out, F f, Projection projection = {},
    const SourceLocation where = SourceLocation::current()) {
  using Each = detail::TransformEach<std::ranges::iterator_t<Range>, std::ranges::iterator_t<Out>,
                                     F, Projection>;
  const std::size_t n = std::min(detail::size_of(range), detail::size_of(out));
  const Each each{std::ranges::begin(range), std::ranges::begin(out), f, projection};
  detail::for_positions<"transform">(n, each, where);
  return {detail::after(range, n), detail::after(out, n)};
}

/// The same with two inputs: out[i] = f(projection1(range1[i]), projection2(range2[i])), as long as
/// the shortest of the three. The result has `in1`, `in2` and `out`.
/// @snippet write.cpp transform two
template <LoopRange Range1, LoopRange Range2, OutputRange Out, std::move_constructible F,
          class Projection1 = std::identity, class Projection2 = std::identity>
  requires std::indirectly_writable<
      std::ranges::iterator_t<Out>,
      std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<Range1>, Projection1>,
                             std::projected<std::ranges::iterator_t<Range2>, Projection2>>>
std::ranges::binary_transform_result<detail::Borrowed<Range1>, detail::Borrowed<Range2>,
                                     detail::Borrowed<Out>>
transform(Range1&& range1, Range2&& range2, Out&& out, F f, Projection1 projection1 = {},
          Projection2 projection2 = {}, const SourceLocation where = SourceLocation::current()) {
  using Each =
      detail::TransformBoth<std::ranges::iterator_t<Range1>, std::ranges::iterator_t<Range2>,
                            std::ranges::iterator_t<Out>, F, Projection1, Projection2>;
  const std::size_t n =
      std::min({detail::size_of(range1), detail::size_of(range2), detail::size_of(out)});
  const Each each{std::ranges::begin(range1),
                  std::ranges::begin(range2),
                  std::ranges::begin(out),
                  f,
                  projection1,
                  projection2};
  detail::for_positions<"transform">(n, each, where);
  return {detail::after(range1, n), detail::after(range2, n), detail::after(out, n)};
}

/// Copies the elements of a range to those of another one, up to the end of the shorter. The two
/// must not overlap.
///
/// Otherwise as transform. Elements that are plain memory are copied as such.
template <LoopRange Range, OutputRange Out>
  requires std::indirectly_copyable<std::ranges::iterator_t<Range>, std::ranges::iterator_t<Out>>
std::ranges::copy_result<detail::Borrowed<Range>, detail::Borrowed<Out>> copy(
    Range&& range, Out&& out, const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = std::min(detail::size_of(range), detail::size_of(out));
  if constexpr (detail::kCopiedAsMemory<Range, Out>) {
    const auto copy_chunk = [from = std::ranges::data(range), to = std::ranges::data(out)](
                                std::size_t lo, std::size_t hi) {
      std::copy(from + lo, from + hi, to + lo);
    };
    detail::for_stretches<"copy", sizeof(std::ranges::range_value_t<Range>)>(n, copy_chunk, where);
  } else {
    std::identity same;
    const detail::TransformEach<std::ranges::iterator_t<Range>, std::ranges::iterator_t<Out>,
                                std::identity, std::identity>
        each{std::ranges::begin(range), std::ranges::begin(out), same, same};
    detail::for_positions<"copy">(n, each, where);
  }
  return {detail::after(range, n), detail::after(out, n)};
}

/// Writes a value to every element. Returns the end of the range.
///
/// The value must not be an element of the range. Everything else as transform.
template <OutputRange Out, class T>
  requires std::indirectly_writable<std::ranges::iterator_t<Out>, const T&>
detail::Borrowed<Out> fill(Out&& out, const T& value,
                           const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(out);
  const detail::FillEach<std::ranges::iterator_t<Out>, T> each{std::ranges::begin(out), value};
  detail::for_positions<"fill", detail::kFilledAsMemory<Out, T> ? sizeof(T) : 0>(n, each, where);
  return detail::after(out, n);
}

/// Writes f() to every element. Returns the end of the range.
///
/// f is called once for each element, by several threads at a time and in no order: for what
/// depends on the number of an element, write transform(lazy(n, ...), out, f), or tabulate.
/// Everything else as transform.
template <OutputRange Out, std::move_constructible F>
  requires std::invocable<F&> &&
           std::indirectly_writable<std::ranges::iterator_t<Out>, std::invoke_result_t<F&>>
detail::Borrowed<Out> generate(Out&& out, F f,
                               const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(out);
  const detail::GenerateEach<std::ranges::iterator_t<Out>, F> each{std::ranges::begin(out), f};
  detail::for_positions<"generate">(n, each, where);
  return detail::after(out, n);
}

/// Calls f(projection(element)) for every element: parallel_for under the name that the standard
/// library has for it, with a projection and without options.
/// Returns the end of the range, as the C++26 algorithm with an execution policy does.
template <LoopRange Range, std::move_constructible F, class Projection = std::identity>
  requires std::invocable<Projection&, std::ranges::range_reference_t<Range>> &&
           std::invocable<F&,
                          std::invoke_result_t<Projection&, std::ranges::range_reference_t<Range>>>
detail::Borrowed<Range> for_each(Range&& range, F f, Projection projection = {},
                                 const SourceLocation where = SourceLocation::current()) {
  static_assert(
      !detail::kSharesBytes<std::ranges::iterator_t<Range>>,
      "furca: elements of a std::vector<bool> share bytes, which several threads must not write: "
      "write a std::vector<char>, make a new std::vector<bool> by map, or pass "
      "std::as_const(v) to a loop that only reads");
  const std::size_t n = detail::size_of(range);
  const detail::CallEach<std::ranges::iterator_t<Range>, F, Projection> each{
      std::ranges::begin(range), f, projection};
  detail::for_positions<"for_each">(n, each, where);
  return detail::after(range, n);
}

}  // namespace furca::found_by_name
