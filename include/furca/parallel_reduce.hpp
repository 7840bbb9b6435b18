// parallel_reduce: combine what a function says of every index or element into one value.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

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

/// An accumulator: what a reduction adds up in. Each thread begins with a copy of the identity.
/// @snippet parallel_reduce.cpp Accumulator
template <class T>
concept Accumulator = std::copy_constructible<T> && std::movable<T>;

/// Whether reductions over T give the same bits for any number of threads by default (ReduceTree::automatic): true for numbers and small structs, whatever is trivially
/// copyable and has up to 1,024 bytes, and for std::pair, std::tuple and std::array of such. Specialise it for a type of yours that is cheap to combine, of up to
/// 4,096 bytes, or to turn it off:
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

/// Combines two accumulators, the left one first; associative, not necessarily commutative. Both are rvalues, and what it returns fits into an accumulator:
/// no fraction and no digits are lost.
/// @snippet parallel_reduce.cpp CombineOp
template <class Op, class T>
concept CombineOp = detail::NotOptions<Op> && std::invocable<Op&, T, T> && std::convertible_to<std::invoke_result_t<Op&, T, T>, T> &&
                    detail::kCombinesInto<std::invoke_result_t<Op&, T, T>, T>;

/// Says what an index or element contributes: either a map returns it (map(x), something that converts to T, and fits into it), or a fold adds it to an
/// accumulator in place (fold(accumulator, x), for accumulators that are expensive to make), takes that by lvalue reference, and returns nothing. What can be
/// called both ways is a map.
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

/// Combines what `map` says of every index in [first, last) with `op`, beginning with `identity`; the accumulator's type is the
/// identity's, so write 0.0 to add doubles: an identity 0, an int, is refused for what loses a fraction or digits in an int.
///
/// `map` takes one of two forms: `map(i)` returns what i contributes, or a fold, `map(accumulator, i)`, adds it in place, for accumulators
/// that are expensive to make; a fold takes the accumulator by lvalue reference and returns nothing:
///     parallel_reduce(0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>{});
///     parallel_reduce(files, Counts{}, [](Counts& counts, const File& file) { counts.add(file); }, merge);
/// The identity is copied by every thread that takes part, so it must not change during the call.
/// `op(a, b)` combines two accumulators, both passed as rvalues: to take them by value costs a move. It must be associative, up to
/// rounding; it need not commute. op(identity, a) must be a. Both may call furca in turn.
/// For numbers and small structs, pairs, tuples and arrays of them (enable_same_bits) the result has the same bits for any number of threads and any
/// schedule: blocks whose size depends on n alone are combined along the aligned binary tree of their numbers. See ReduceTree.
/// An accumulator may be of any size. Those of a thread that has taken over a part of the reduction lie on the heap if they are large (from about a hundred bytes on with the
/// same bits, two kilobytes without), and from 32 kilobytes on the caller's as well. The result is made in its place, so
/// `new Large(parallel_reduce(...))` and `static const Large all = parallel_reduce(...)` need no stack for it; let op take the left one as Large&& and return that
/// reference, and the combining needs none either.
/// The bits can differ from the serial loop's, which adds from left to right.
/// An empty or reversed range gives the identity. Exceptions, options, cost and thread-safety as for parallel_for, as far as map
/// throws. If op throws, one of the exceptions leaves, and which one may depend on the schedule. options.progress gets every index or element whose
/// contribution is in an accumulator, those in what a throw has thrown away included.
/// Throws std::invalid_argument for ReduceTree::aligned and an accumulator of more than 4,096 bytes.
/// Throws std::bad_alloc if there is no memory for an accumulator on the heap.
/// A call that does not fit is answered by a sentence, and so counts as one that compiles where a `requires` asks: ask Contribution and CombineOp.
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

/// Adds up what `map` returns for every index: parallel_reduce(first, last, identity, map, std::plus<>{}). A fold does not do here: how accumulators
/// combine that it has changed, only the program knows.
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
