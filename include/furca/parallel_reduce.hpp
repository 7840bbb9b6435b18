// parallel_reduce: combines the contributions of all indices or elements into one value.
#pragma once

#include <furca/detail/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/aligned_tree.hpp>
#include <furca/detail/contribution.hpp>
#include <furca/detail/index_range.hpp>
#include <furca/detail/reduce_mistakes.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/parallel_for.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca {

/// The type of a reduction's accumulators and of its result. Accumulators begin as copies of the identity.
/// @snippet parallel_reduce.cpp Accumulator
template <class T>
concept Accumulator = std::copy_constructible<T> && std::movable<T>;

/// Whether reductions over T give, by default, the same bits for any number of threads (ReduceTree::automatic).
///
/// True for trivially copyable types of up to 1,024 bytes, that is, numbers and small structs, and for std::pair, std::tuple and std::array of these.
/// Specialise it to true for a type of your own of up to 4,096 bytes that is cheap to combine, or to false to turn it off:
///     template <> inline constexpr bool furca::enable_same_bits<Moments> = true;
/// @snippet parallel_reduce.cpp enable_same_bits
template <class T>
inline constexpr bool enable_same_bits = std::is_trivially_copyable_v<T> && sizeof(T) <= 1'024;
template <class A, class B>
inline constexpr bool enable_same_bits<std::pair<A, B>> = enable_same_bits<A> && enable_same_bits<B> && sizeof(std::pair<A, B>) <= 1'024;
template <class... Ts>
inline constexpr bool enable_same_bits<std::tuple<Ts...>> = (enable_same_bits<Ts> && ...) && sizeof(std::tuple<Ts...>) <= 1'024;
template <class T, std::size_t N>
inline constexpr bool enable_same_bits<std::array<T, N>> = enable_same_bits<T> && sizeof(std::array<T, N>) <= 1'024;

/// Combines two accumulators, the left one first. Associative, not necessarily commutative. Both arguments are rvalues; the result must convert to an
/// accumulator without losing a fraction or digits.
/// @snippet parallel_reduce.cpp CombineOp
template <class Op, class T>
concept CombineOp = detail::NotOptions<Op> && std::invocable<Op&, T, T> && std::convertible_to<std::invoke_result_t<Op&, T, T>, T> &&
                    detail::kCombinesInto<std::invoke_result_t<Op&, T, T>, T>;

/// A map or a fold. A map returns the contribution of an index or element: map(x) converts to T without losing a fraction or digits. A fold adds it
/// in place: fold(accumulator, x) takes the accumulator by lvalue reference and returns nothing; it suits accumulators that are expensive to make.
/// What can be called both ways is a map.
/// @snippet parallel_reduce.cpp Contribution
template <class F, class X, class T>
concept Contribution = detail::NotOptions<F> && ((detail::MapsTo<F, X, T> && detail::kFitsInto<std::invoke_result_t<F&, X>, T>) ||
                                                 (!detail::MapsTo<F, X, T> && detail::FoldsInto<F, X, T>));

namespace detail {

/// A map whose contributions can be added up.
template <class Map, class X, class T>
concept Adds = NotOptions<Map> && Contribution<Map, X, T> && MapsTo<Map, X, T> && CombineOp<std::plus<>, T>;

/// What all parts of one reduction have in common.
template <class Index, class T, class Map, class Op>
struct Reduction {
  IndexRange<Index> range;
  const T& identity;
  Map& map;
  Op& op;
  Progress* progress;

  /// Adds what the steps [lo, hi) contribute, in their order. `at` is where it stands at the end, or when something throws.
  void fold(T& accumulator, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const {
    const Index stop = range.at(hi);
    Index i = range.at(lo);
    try {
      if constexpr (MapsTo<Map, Index, T>) {
        Held<Map, Index> contribution = map;
        Held<Op, T, T> combine = op;
        // The casts make values: op may return a reference to one of its arguments.
        for (; i != stop; ++i)
          accumulator = static_cast<T>(std::invoke(combine, std::move(accumulator), static_cast<T>(std::invoke(contribution, Index(i)))));
      } else {
        Held<Map, T&, Index> add = map;
        for (; i != stop; ++i) std::invoke(add, accumulator, Index(i));
      }
    } catch (...) {
      at = range.step(i);
      throw;
    }
    at = hi;
  }
};

/// One accumulator for all that a thread runs; steps are elements.
template <class Index, class T, class Map, class Op>
class SchedulePart {
 public:
  using Shared = Reduction<Index, T, Map, Op>;
  explicit SchedulePart(const Shared& shared) : shared_(&shared), accumulator_(shared.identity) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    std::uint64_t at = lo;
    try {
      shared_->fold(accumulator_, lo, hi, at);
    } catch (...) {
      end.lower_to(at);
      add_steps(shared_->progress, at - lo);
      throw;
    }
    add_steps(shared_->progress, hi - lo);
  }

  SchedulePart fresh() const { return SchedulePart(*shared_); }

  /// op may return a reference to one of its arguments; the left one is in its place already then.
  void absorb(SchedulePart&& right) {
    using Result = std::invoke_result_t<Op&, T, T>;
    if constexpr (std::is_same_v<Result, T&&> || std::is_same_v<Result, T&>) {
      auto&& result = std::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_));
      if (std::addressof(result) != std::addressof(accumulator_)) accumulator_ = std::forward<Result>(result);
    } else {
      accumulator_ = static_cast<T>(std::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_)));
    }
  }

  T total() { return std::move(accumulator_); }

 private:
  const Shared* shared_;
  T accumulator_;
};

/// The aligned tree; steps are blocks.
template <class Index, class T, class Map, class Op>
class AlignedPart {
 public:
  using Shared = Reduction<Index, T, Map, Op>;
  AlignedPart(const Shared& shared, std::uint64_t block) noexcept : shared_(&shared), block_(block) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    const std::uint64_t first = lo * block_;
    std::uint64_t at = first;
    for (std::uint64_t k = lo; k < hi; ++k) {
      try {
        const std::uint64_t from = at;
        T accumulator(shared_->identity);
        shared_->fold(accumulator, from, std::min(block_, shared_->range.size() - from) + from, at);
        tree_.append(0, static_cast<std::uint32_t>(k), std::move(accumulator), shared_->op);
      } catch (...) {
        end.lower_to(k);
        add_steps(shared_->progress, at - first);
        throw;
      }
    }
    add_steps(shared_->progress, at - first);
  }

  AlignedPart fresh() const noexcept { return AlignedPart(*shared_, block_); }
  void absorb(AlignedPart&& right) { tree_.append(std::move(right.tree_), shared_->op); }
  T total() { return tree_.empty() ? T(shared_->identity) : tree_.total(shared_->op); }

 private:
  const Shared* shared_;
  std::uint64_t block_;
  AlignedTree<T> tree_;
};

template <class Part>
inline constinit BodyCost reduce_cost{};

/// The first part of a reduction, which make() has made in place: in its caller's frame, of which there is one, unless it is huge.
template <class Part, bool kHuge = (sizeof(Part) > 32'768)>
class FirstPart {
 public:
  template <class Make>
  explicit FirstPart(Make make) : part_(make()) {}
  Part& operator*() noexcept { return part_; }

 private:
  Part part_;
};

template <class Part>
class FirstPart<Part, true> {
 public:
  template <class Make>
  explicit FirstPart(Make make) : part_(new Part(make())) {}
  Part& operator*() noexcept { return *part_; }

 private:
  std::unique_ptr<Part> part_;
};

/// `make` makes a part with nothing in it yet.
template <class Part, class Make>
auto reduce_with(Make make, std::uint64_t steps, std::size_t grain, const std::stop_token& stop, const SourceLocation& where) {
  FirstPart<Part> part(make);
  Loop(kFunctionsOf<Part, Construct::reduction>, steps, grain, stop, reduce_cost<Part>, where).run(&*part);
  return (*part).total();
}

template <class Index, class T, class Map, class Op>
T reduce(const Reduction<Index, T, Map, Op>& shared, const ReduceOptions& options, const SourceLocation& where) {
  using Scheduled = SchedulePart<Index, T, Map, Op>;
  using Aligned = AlignedPart<Index, T, Map, Op>;
  static_assert(!enable_same_bits<T> || sizeof(T) <= 4'096, "furca: enable_same_bits is for accumulators of up to 4,096 bytes: leave it false for larger ones");
  const bool aligned = options.tree == ReduceTree::aligned || (options.tree == ReduceTree::automatic && enable_same_bits<T>);
  const std::uint64_t n = shared.range.size();
  check_grain(options.grain);
  if constexpr (sizeof(T) <= 4096) {
    if (aligned) {
      const std::uint64_t block = block_size(n, AlignedTree<T>::kMostBlocks, options.grain == automatic_grain ? 1 : options.grain);
      return detail::reduce_with<Aligned>([&] { return Aligned(shared, block); }, n / block + (n % block != 0 ? 1 : 0), automatic_grain, options.stop, where);
    }
  } else if (aligned) {
    throw std::invalid_argument("furca: an accumulator of more than 4,096 bytes is too large for ReduceTree::aligned, which keeps up to 18 of them for each "
                                "thread; leave .tree out, or put its data on the heap");
  }
  return detail::reduce_with<Scheduled>([&] { return Scheduled(shared); }, n, options.grain, options.stop, where);
}

}  // namespace detail

/// Combines the contributions of every index in [first, last) and returns the result.
///
/// The accumulator has the type of `identity`, so write 0.0 to add doubles. The identity 0, an int, is refused where a contribution would lose
/// a fraction or digits. Every thread that takes part copies the identity, so it must not change during the call. op(identity, a) must be a.
/// `map` takes one of two forms. map(i) returns what i contributes. A fold, map(accumulator, i), adds it in place: it takes the accumulator by
/// lvalue reference and returns nothing, and suits accumulators that are expensive to make:
///     parallel_reduce(0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>{});
///     parallel_reduce(files, Counts{}, [](Counts& counts, const File& file) { counts.add(file); }, merge);
/// op(a, b) combines two accumulators. It gets rvalues, so taking them by value costs a move. It must be associative, up to rounding; it need not
/// commute. map and op may call furca.
/// Where enable_same_bits is true (numbers, small structs, pairs, tuples and arrays of them) the result has the same bits for any number of
/// threads and any schedule: blocks whose size depends only on n are combined along a binary tree that depends only on n. See ReduceTree. The
/// bits can differ from those of the serial loop, which adds from left to right.
/// Memory: an accumulator may have any size. A thread that takes over a part of the reduction keeps a large accumulator on the heap: from about
/// a hundred bytes on with the same bits, from two kilobytes on without; from 32 kilobytes on, so does the caller. The result is made in place:
/// `new Large(parallel_reduce(...))` and `static const Large all = parallel_reduce(...)` need no stack for it. For the combining to need none
/// either, op takes the left accumulator as Large&& and returns that reference.
/// An empty or reversed range gives the identity.
/// Exceptions: those of map as for parallel_for. If op throws, one such exception is thrown, and the schedule may decide which one.
/// Throws std::invalid_argument for ReduceTree::aligned with an accumulator of more than 4,096 bytes, and if options.grain is 0.
/// Throws std::bad_alloc if there is no memory for an accumulator on the heap, or at an outside thread's first call.
/// options.progress counts the indices or elements whose contribution was added to an accumulator, also if an exception discards that accumulator.
/// Complexity: as parallel_for.
/// Thread-safety: as parallel_for; several threads call map and op at once.
/// A wrong call is a compile-time error of one sentence. In a `requires` expression such a call counts as valid: test Contribution and CombineOp there.
/// @snippet parallel_reduce.cpp parallel_reduce
template <std::integral First, std::integral Last, Accumulator T, class Map, CombineOp<T> Op>
  requires detail::LoopIndex<std::common_type_t<First, Last>> && Contribution<Map, std::common_type_t<First, Last>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(First first, Last last, const T& identity, Map&& map, Op&& op,
                                                                                const ReduceOptions& options = {},
                                                                                const SourceLocation where = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  const detail::Reduction<Index, T, std::remove_reference_t<Map>, std::remove_reference_t<Op>> shared{
      {static_cast<Index>(first), static_cast<Index>(last)}, identity, map, op, options.progress};
  return detail::reduce(shared, options, where);
}

/// The same over the elements of a random-access range of known size.
/// @snippet parallel_reduce.cpp fold
template <LoopRange Range, Accumulator T, class Map, CombineOp<T> Op>
  requires Contribution<Map, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(Range&& range, const T& identity, Map&& map, Op&& op,
                                                                                const ReduceOptions& options = {},
                                                                                const SourceLocation where = SourceLocation::current()) {
  using Reference = std::ranges::range_reference_t<Range>;
  using Difference = std::ranges::range_difference_t<Range>;
  const auto begin = std::ranges::begin(range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const auto element = [begin](std::size_t i) -> Reference { return begin[static_cast<Difference>(i)]; };
  if constexpr (detail::MapsTo<Map, Reference, T>) {
    // A value, not a reference: it may point into an element that exists only here.
    return furca::parallel_reduce(
        std::size_t{0}, size, identity, [&map, element](std::size_t i) -> T { return static_cast<T>(std::invoke(map, element(i))); }, op,
        options, where);
  } else {
    return furca::parallel_reduce(
        std::size_t{0}, size, identity, [&map, element](T& accumulator, std::size_t i) { std::invoke(map, accumulator, element(i)); }, op,
        options, where);
  }
}

/// Adds up what `map` returns for every index: parallel_reduce(first, last, identity, map, std::plus<>{}). `map` must not be a fold: a fold needs an
/// op that combines the accumulators.
/// @snippet parallel_reduce.cpp sum of a map
/// @{
template <std::integral First, std::integral Last, Accumulator T, class Map>
  requires detail::LoopIndex<std::common_type_t<First, Last>> && detail::Adds<Map, std::common_type_t<First, Last>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(First first, Last last, const T& identity, Map&& map,
                                                                                const ReduceOptions& options = {},
                                                                                const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(first, last, identity, map, std::plus<>{}, options, where);
}

/// The same for every element of a range.
template <LoopRange Range, Accumulator T, class Map>
  requires detail::Adds<Map, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(Range&& range, const T& identity, Map&& map, const ReduceOptions& options = {},
                                                                                const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(range, identity, map, std::plus<>{}, options, where);
}
/// @}

/// Adds up the elements of a range: parallel_reduce(prices, 0.0).
/// @snippet parallel_reduce.cpp sum
template <LoopRange Range, Accumulator T>
  requires detail::Adds<std::identity, std::ranges::range_reference_t<Range>, T>
[[nodiscard("the result of a reduction is what it returns")]] T parallel_reduce(Range&& range, const T& identity, const ReduceOptions& options = {},
                                                                                const SourceLocation where = SourceLocation::current()) {
  return furca::parallel_reduce(range, identity, std::identity{}, std::plus<>{}, options, where);
}

}  // namespace furca
