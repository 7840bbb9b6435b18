// parallel_reduce: combines the contributions of all indices or elements into one value; and
// transform_reduce, those of two ranges.
#pragma once

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/detail/loop/mapped_both.hpp>
#include <furca/detail/loop/reduction.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/mistakes/silent_mistakes.hpp>
#include <furca/options.hpp>
#include <furca/parallel_for.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <tuple>

FURCA_DECLARES(parallel_reduce);

namespace furca::found_by_name {
FURCA_SAYS_OF_OPTIONS(
    auto, parallel_reduce,
    "write parallel_reduce(first, last, "
    "0.0, [&](int i) { return x[i]; }, std::plus<>{}) for integers, or parallel_reduce(v, "
    "0.0, std::identity{}, std::plus<>{}); 0.0 is the value to begin with, of the result's "
    "type; the map returns what an element contributes, or as a fold adds it in place, "
    "[&](T& sum, int i) { sum += x[i]; }; the operation is given two such values, and "
    "returns one" FURCA_RANGE FURCA_REDUCE_OPTIONS)
FURCA_SAYS(transform_reduce,
           "write transform_reduce(v, w, 0.0), or transform_reduce(v, w, 0.0, std::plus<>{}, "
           "std::multiplies<>{}), where 0.0 is the value to begin with, of the result's type; of "
           "one range write parallel_reduce(v, 0.0, map, std::plus<>{})" FURCA_RANGE)
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::parallel_reduce;

/// The type of a reduction's accumulators and of its result. Accumulators begin as copies of the
/// identity.
template <class T>
concept Accumulator = std::copy_constructible<T> && std::movable<T>;

/// Whether reductions over T give, by default, the same bits for any number of threads
/// (ReduceTree::automatic).
///
/// True for trivially copyable types of up to 1,024 bytes, that is, numbers and small structs, and
/// for std::pair, std::tuple, std::array and std::optional of these.
/// Specialise it to true for a type of your own of up to 4,096 bytes that is cheap to combine, or
/// to false to turn it off:
///     template <> inline constexpr bool furca::enable_same_bits<Moments> = true;
template <class T>
inline constexpr bool enable_same_bits = std::is_trivially_copyable_v<T> && sizeof(T) <= 1'024;
template <class A, class B>
inline constexpr bool enable_same_bits<std::pair<A, B>> =
    enable_same_bits<A> && enable_same_bits<B> && sizeof(std::pair<A, B>) <= 1'024;
template <class... Ts>
inline constexpr bool enable_same_bits<std::tuple<Ts...>> =
    (enable_same_bits<Ts> && ...) && sizeof(std::tuple<Ts...>) <= 1'024;
template <class T, std::size_t N>
inline constexpr bool enable_same_bits<std::array<T, N>> =
    enable_same_bits<T> && sizeof(std::array<T, N>) <= 1'024;
template <class T>
inline constexpr bool enable_same_bits<std::optional<T>> =
    enable_same_bits<T> && sizeof(std::optional<T>) <= 1'024;

/// Combines two accumulators, the left one first. Associative, not necessarily commutative. Both
/// arguments are rvalues; the result must convert to an accumulator without losing a fraction or
/// digits.
template <class Op, class T>
concept CombineOp = detail::NotOptions<Op> && std::invocable<Op&, T, T> &&
                    std::convertible_to<std::invoke_result_t<Op&, T, T>, T> &&
                    detail::kCombinesInto<std::invoke_result_t<Op&, T, T>, T>;

/// A map or a fold. A map returns the contribution of an index or element: map(x) converts to T
/// without losing a fraction or digits. A fold adds it in place: fold(accumulator, x) takes the
/// accumulator by lvalue reference and returns nothing; it suits accumulators that are expensive to
/// make.
/// What can be called both ways is a map.
template <class F, class X, class T>
concept Contribution =
    detail::NotOptions<F> &&
    ((detail::MapsTo<F, X, T> && detail::kFitsInto<std::invoke_result_t<F&, X>, T>) ||
     (!detail::MapsTo<F, X, T> && detail::FoldsInto<F, X, T>));

namespace detail {

/// A map whose contributions can be added up.
template <class Map, class X, class T>
concept Adds =
    NotOptions<Map> && Contribution<Map, X, T> && MapsTo<Map, X, T> && CombineOp<std::plus<>, T>;

}  // namespace detail

/// Combines the contributions of every index in [first, last) and returns the result.
///
/// The accumulator has the type of `identity`, so write 0.0 to add doubles. The identity 0, an int,
/// is refused where a contribution would lose a fraction or digits. Every thread that takes part
/// copies the identity, so it must not change during the call. op(identity, a) must be a.
/// `map` takes one of two forms. map(i) returns what i contributes. A fold, map(accumulator, i),
/// adds it in place: it takes the accumulator by lvalue reference and returns nothing, and suits
/// accumulators that are expensive to make:
///     parallel_reduce(0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>{});
///     parallel_reduce(files, Counts{}, [](Counts& counts, const File& file) { counts.add(file); },
///     merge);
/// op(a, b) combines two accumulators. It gets rvalues, so taking them by value costs a move. It
/// must be associative, up to rounding; it need not commute. map and op may call furca.
/// Where enable_same_bits is true (numbers, small structs, pairs, tuples and arrays of them) the
/// result has the same bits for any number of threads and any schedule: blocks whose size depends
/// only on n are combined along a binary tree that depends only on n. See ReduceTree. In a block
/// std::plus and std::multiplies of floating-point numbers go in lanes, as in the vectors of a
/// processor: parts of a sum may overflow, to infinity or then NaN, although those from the front
/// on would not. The bits can differ from those of the serial loop, which adds from left to right;
/// which of several NaNs comes out is not said. Integers, and pairs, tuples and arrays of them,
/// need no tree: op rounds nothing there, so being associative it gives the same bits in any order.
/// Memory: an accumulator may have any size. A thread that takes over a part of the reduction keeps
/// a large accumulator on the heap: from about a hundred bytes on with a tree, from two kilobytes
/// on without; from 32 kilobytes on, so does the caller. The result is made in place:
/// `new Large(parallel_reduce(...))` and `static const Large all = parallel_reduce(...)` need no
/// stack for it. For the combining to need none either, op takes the left accumulator as Large&&
/// and returns that reference.
/// An empty or reversed range gives the identity.
/// Exceptions: those of map as for parallel_for. If op throws, one such exception is thrown, and
/// the schedule may decide which one.
/// Throws std::invalid_argument for ReduceTree::aligned with an accumulator of more than 4,096
/// bytes, and if options.grain is 0.
/// Throws std::bad_alloc if there is no memory for an accumulator on the heap, or at an outside
/// thread's first call.
/// options.progress counts the indices or elements whose contribution was added to an accumulator,
/// also if an exception discards that accumulator.
/// Complexity: as parallel_for. A reduction over few indices in each node of a recursive search
/// costs about what joins cost, with accumulators of up to 64 bytes that are copied and destroyed
/// trivially (numbers, small structs, pairs and tuples of them), but not for folds over integers.
/// The caller combines what there is, so op should be cheap.
/// Thread-safety: as parallel_for; several threads call map and op at once.
/// A wrong call is a compile-time error of one sentence. In a `requires` expression such a call
/// counts as valid: test Contribution and CombineOp there.
template <std::integral First, std::integral Last, Accumulator T, class Map, CombineOp<T> Op>
  requires detail::LoopIndex<std::common_type_t<First, Last>> &&
           Contribution<Map, std::common_type_t<First, Last>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(
    First first, Last last, const T& identity, Map&& map, Op&& op,
    const ReduceOptions& options = {}, const SourceLocation where = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  const detail::Reduction<Index, T, std::remove_reference_t<Map>, std::remove_reference_t<Op>>
      shared{{static_cast<Index>(first), static_cast<Index>(last)},
             identity,
             map,
             op,
             options.progress};
  if constexpr (detail::kSmallAccumulator<T>) {
    constexpr bool kAligned = detail::kUsesTree<T, enable_same_bits<T>>;
    if constexpr (kAligned || detail::MapsTo<Map, Index, T>) {
      if (auto sum = detail::reduce_few<kAligned>(shared, options)) return *std::move(sum);
    }
  }
  return detail::reduce<enable_same_bits<T>>(shared, options, where);
}

/// The same over the elements of a random-access range of known size.
/// @snippet parallel_reduce.cpp fold
template <LoopRange Range, Accumulator T, class Map, CombineOp<T> Op>
  requires Contribution<Map, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(
    Range&& range, const T& identity, Map&& map, Op&& op, const ReduceOptions& options = {},
    const SourceLocation where = SourceLocation::current()) {
  using Reference = std::ranges::range_reference_t<Range>;
  using Difference = std::ranges::range_difference_t<Range>;
  const auto begin = std::ranges::begin(range);
  const std::size_t size = detail::size_of(range);
  if constexpr (detail::MapsTo<Map, Reference, T>) {
    const detail::MappedElement<std::ranges::iterator_t<Range>, T, std::remove_reference_t<Map>>
        mapped{map, begin};
    return furca::parallel_reduce(std::size_t{0}, size, identity, mapped, op, options, where);
  } else {
    const auto element = [begin](std::size_t i) -> Reference {
      return begin[static_cast<Difference>(i)];
    };
    return furca::parallel_reduce(
        std::size_t{0}, size, identity,
        [&map, element](T& accumulator, std::size_t i) {
          detail::invoke(map, accumulator, element(i));
        },
        op, options, where);
  }
}

/// Adds up what `map` returns for every index: parallel_reduce(first, last, identity, map,
/// std::plus<>{}). `map` must not be a fold: a fold needs an op that combines the accumulators.
/// @snippet parallel_reduce.cpp sum of a map
/// @{
template <std::integral First, std::integral Last, Accumulator T, class Map>
  requires detail::LoopIndex<std::common_type_t<First, Last>> &&
           detail::Adds<Map, std::common_type_t<First, Last>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(
    First first, Last last, const T& identity, Map&& map, const ReduceOptions& options = {},
    const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(first, last, identity, map, std::plus<>{}, options, where);
}

/// The same for every element of a range.
template <LoopRange Range, Accumulator T, class Map>
  requires detail::Adds<Map, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(
    Range&& range, const T& identity, Map&& map, const ReduceOptions& options = {},
    const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(range, identity, map, std::plus<>{}, options, where);
}
/// @}

/// Adds up the elements of a range: parallel_reduce(prices, 0.0).
/// @snippet parallel_reduce.cpp sum
template <LoopRange Range, Accumulator T>
  requires detail::Adds<std::identity, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(
    Range&& range, const T& identity, const ReduceOptions& options = {},
    const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(range, identity, std::identity{}, std::plus<>{}, options, where);
}

}  // namespace furca

namespace furca::found_by_name {

/// init and what f makes of the elements of two ranges at the same places, combined by op: without
/// op and f the inner product, init + x[0] * y[0] + x[1] * y[1] + ...
///
/// The shorter range ends it. `init` need be no identity of op: it goes in once, first. The result
/// has its type, so write 0.0 to add doubles; the 0 of an int is refused where it would lose a
/// fraction or digits. Of one range, with an identity or with options: parallel_reduce.
/// Bits, exceptions, thread-safety and what op may be: as parallel_reduce.
/// Complexity: as parallel_reduce; one call of f for each place.
template <LoopRange R1, LoopRange R2, Accumulator T, CombineOp<T> Op = std::plus<>,
          class F = std::multiplies<>>
  requires detail::MapsBothTo<F, R1, R2, T>
[[nodiscard("the result of a reduction is what it returns")]] T transform_reduce(
    R1&& range1, R2&& range2, T init, Op op = {}, F f = {},
    const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = std::min(detail::size_of(range1), detail::size_of(range2));
  const detail::MappedBoth<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, T, F> mapped{
      f, std::ranges::begin(range1), std::ranges::begin(range2)};
  const auto combine = [&op](T a, T b) {
    return static_cast<T>(detail::invoke(op, std::move(a), std::move(b)));
  };
  if constexpr (detail::kHasIdentity<Op, T>) {
    return combine(std::move(init), furca::parallel_reduce(std::size_t{0}, n, static_cast<T>(-0.0),
                                                           mapped, op, {}, where));
  } else {
    using Sum = std::optional<T>;
    const auto add = [&combine](Sum& sum, Sum more) {
      if (sum && more) {
        sum = combine(*std::move(sum), *std::move(more));
      } else if (more) {
        sum = std::move(more);
      }
    };
    Sum all = furca::parallel_reduce(
        std::size_t{0}, n, Sum(), [&add, &mapped](Sum& sum, std::size_t i) { add(sum, mapped(i)); },
        [&add](Sum sum, Sum more) {
          add(sum, std::move(more));
          return sum;
        },
        {}, where);
    return all ? combine(std::move(init), *std::move(all)) : init;
  }
}

}  // namespace furca::found_by_name
