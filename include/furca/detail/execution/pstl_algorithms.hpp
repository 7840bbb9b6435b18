// Algorithms of furca's that take the place of the standard library's own parallel ones, over
// iterators: minimum, packing, partition, selection, scan.
//
// Only allocations throw here: what calls of the user's, and copies and moves of elements throw
// ends the program. See NoThrow and EndingCalls.
#pragma once

#include <furca/detail/algorithms/counting.hpp>
#include <furca/detail/algorithms/extremes.hpp>
#include <furca/detail/algorithms/pack_passes.hpp>
#include <furca/detail/algorithms/partition_passes.hpp>
#include <furca/detail/algorithms/scan_passes.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/execution/pstl_scans.hpp>
#include <furca/search.hpp>
#include <furca/sort.hpp>

#include <optional>

namespace furca::detail {

/// A range of iterators, as furca's algorithms take it.
template <std::random_access_iterator I>
class IteratorRange {
 public:
  IteratorRange(I first, I last) : first_(first), last_(last) {}
  I begin() const { return first_; }
  I end() const { return last_; }

 private:
  I first_;
  I last_;
};

/// Iterators that furca's algorithms can write to.
template <class I>
concept WritableIterator =
    std::random_access_iterator<I> && std::is_lvalue_reference_v<std::iter_reference_t<I>> &&
    std::is_assignable_v<std::iter_reference_t<I>, std::iter_value_t<I>>;

/// A comparison that ends the program if it throws. Those of numbers do not, and stay what they
/// are: algorithms that need not call them are told by their types.
template <class Comp, class T>
using EndingOrder = std::conditional_t<kPlainOrder<Comp, T>, Comp, NoThrow<Comp>>;

/// Where the first least element is; the range is not empty.
template <class I, class Comp>
FURCA_NOINLINE I least_of(I first, I last, Comp comp, const SourceLocation& where) {
  EndingOrder<Comp, std::iter_value_t<I>> order{std::move(comp)};
  IteratorRange<I> range(first, last);
  std::identity all;
  return EndingCalls()([&] {
    return detail::behind(
        first, detail::extremes<"min_element", Extreme::first_least>(range, order, all, where)[0]);
  });
}

/// Elements that furca's own search tests in vectors. Of others a brick of libstdc++'s is as fast.
template <class I, class Pred>
concept SearchedInBlocks =
    std::random_access_iterator<I> && CopiedToThreads<Pred, std::iter_reference_t<I>> &&
    !std::is_void_v<AnswerOf<IteratorRange<I>, std::identity>>;

/// The first position for which pred holds, or the number of elements.
template <Literal name, class I, class Pred>
FURCA_NOINLINE std::size_t first_that_holds(I first, I last, Pred pred,
                                            const SourceLocation& where) {
  IteratorRange<I> range(first, last);
  NoThrow<Pred> holds{std::move(pred)};
  std::identity all;
  return EndingCalls()([&] { return detail::position_of<name, true>(range, holds, all, where); });
}

/// Copies the elements for which pred holds, and returns the end of the copies. Throws
/// std::bad_alloc before anything is copied.
template <class I, class Out, class Pred>
FURCA_NOINLINE Out copy_chosen(I first, I last, Out out, Pred pred, const SourceLocation& where) {
  IteratorRange<I> range(first, last);
  IteratorRange<Out> behind_all(out, out);  // its length is not known, and not asked for
  NoThrow<Pred> holds{std::move(pred)};
  std::identity all;
  const PackEnd end = detail::pack_into<"copy_if">(range, behind_all, detail::size_of(range), holds,
                                                   all, where, EndingCalls());
  return detail::behind(out, end.out);
}

/// Partitions, and returns where those begin for which pred does not hold. The order depends on the
/// range alone. Throws std::bad_alloc before anything has moved.
template <class I, class Pred>
FURCA_NOINLINE I partition_iterators(I first, I last, Pred pred, const SourceLocation& where) {
  IteratorRange<I> range(first, last);
  NoThrow<Pred> holds{std::move(pred)};
  std::identity all;
  const Satisfies<IteratorRange<I>, NoThrow<Pred>, std::identity> test(range, holds, all);
  return detail::behind(
      first, detail::partition_in_place<"partition", MarkedBy<IteratorRange<I>, std::identity>>(
                 range, test, where, EndingCalls()));
}

/// Brings the element to `nth` that would be there if the range were sorted.
template <class I, class Comp>
FURCA_NOINLINE void select_iterators(I first, I nth, I last, Comp comp,
                                     const SourceLocation& where) {
  EndingOrder<Comp, std::iter_value_t<I>> order{std::move(comp)};
  EndingCalls()([&] {
    furca::nth_element(IteratorRange<I>(first, last), nth, order, std::identity(), where);
  });
}

/// Operands for which furca's scan gives the standard's result: numbers that no conversion changes
/// on the way, and callables without a state of their own.
template <class I, class Out, class Map, class T, class Op>
concept ScansNumbers =
    std::random_access_iterator<I> && std::random_access_iterator<Out> && std::is_arithmetic_v<T> &&
    std::is_same_v<std::iter_reference_t<Out>, T&> &&
    std::is_same_v<std::remove_cvref_t<std::invoke_result_t<Map&, std::iter_reference_t<I>>>, T> &&
    std::is_same_v<std::remove_cvref_t<std::invoke_result_t<Op&, T, T>>, T> &&
    CopiedToThreads<Map, std::iter_reference_t<I>> && CopiedToThreads<Op, T, T>;

/// Scans numbers behind `init`. They have the same bits for any number of threads. Throws
/// std::bad_alloc before anything is written.
template <ScanKind kKind, class I, class Out, class Map, class T, class Op>
FURCA_NOINLINE Out scan_iterators(I first, I last, Out out, Map map, T init, Op op,
                                  const SourceLocation& where) {
  using Range = IteratorRange<I>;
  using Operation = std::conditional_t<kTakesNanoseconds<Op, T>, Op, NoThrow<Op>>;
  using Projection = std::conditional_t<std::is_same_v<Map, std::identity>, Map, NoThrow<Map>>;
  Range range(first, last);
  IteratorRange<Out> output(out, detail::behind(out, last - first));
  Operation operation{std::move(op)};
  Projection projection{std::move(map)};
  Scan<kKind, T, Range, IteratorRange<Out>, Operation, Projection> scan(
      range, output, operation, projection, std::optional<T>(init));
  scan.run(where, EndingCalls());
  return output.end();
}

/// Scans anything, as the standard has it.
template <ScanKind kKind, class I, class Out, class Map, class T, class Op>
Out scan_as_standard(I first, I last, Out out, Map map, T init, Op op,
                     const SourceLocation& where) {
  if constexpr (ScansNumbers<I, Out, Map, T, Op>) {
    return detail::scan_iterators<kKind>(first, last, out, map, init, op, where);
  } else {
    return detail::scan_by_copies<kKind>(first, last, out, map, std::move(init), op, where);
  }
}

template <class F, class... Args>
using CallResult = std::remove_cvref_t<std::invoke_result_t<F&, Args...>>;

/// Elements and a value of another type.
template <class I, class T>
concept Mixed = !std::same_as<std::iter_value_t<I>, T>;

template <class F>
inline constexpr bool kIsNoThrow = false;
template <class F>
inline constexpr bool kIsNoThrow<NoThrow<F>> = true;

}  // namespace furca::detail
