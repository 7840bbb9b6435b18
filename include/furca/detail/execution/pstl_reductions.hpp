// Reductions of the standard library's parallel algorithms: bricks as in pstl_loops.hpp, which add
// to a value.
#pragma once

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/chunks.hpp>
#include <furca/detail/loop/reduction.hpp>
#include <furca/threads.hpp>

#include <optional>

namespace furca::detail {

/// The reduction that this thread runs a brick of; null: none.
inline constinit thread_local LoopEnd* cancellable = nullptr;

/// The things that all parts of a reduction have in common. Steps are `unit` elements each; what is
/// left over belongs to the last one.
template <class Index, class Value, class Brick, class Op>
struct BrickFold {
  Index first;
  Blocks steps;
  const Value& identity;
  Brick& brick;
  Op& op;
};

template <class Fold, class Value>
class BrickFoldPart {
 public:
  explicit BrickFoldPart(const Fold& fold) : fold_(&fold), value_(fold.identity) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    LoopEnd* const outer = std::exchange(cancellable, &end);
    const auto at = [this](std::uint64_t step) {
      return detail::behind(fold_->first, fold_->steps.at(step));
    };
    value_ = detail::call_brick(fold_->brick, at(lo), at(hi), std::move(value_));
    has_run_ = true;
    cancellable = outer;
  }

  BrickFoldPart fresh() const { return BrickFoldPart(*fold_); }

  /// A part that was cancelled has run nothing, and an identity need not be one for the operation.
  void absorb(BrickFoldPart&& right) noexcept {
    if (!right.has_run_) return;
    value_ =
        has_run_ ? fold_->op(std::move(value_), std::move(right.value_)) : std::move(right.value_);
    has_run_ = true;
  }

  Value& value() noexcept { return value_; }

 private:
  const Fold* fold_;
  Value value_;
  bool has_run_ = false;
};

/// Values that are combined in no time. Others may be what a partition has come to, and to combine
/// two of them moves elements.
template <class Value>
inline constexpr bool kCombinedAtOnce =
    std::is_arithmetic_v<Value> || std::random_access_iterator<Value>;
template <class A, class B>
inline constexpr bool kCombinedAtOnce<std::pair<A, B>> = kCombinedAtOnce<A> && kCombinedAtOnce<B>;

/// brick(i, j, value) adds what [i, j) contributes, and op(left, right) combines the values of two
/// stretches, which lie side by side.
template <class Index, class Value, class Brick, class Op>
FURCA_NOINLINE Value fold_bricks(Index first, Index last, const Value& identity, Brick& brick,
                                 Op& op, const SourceLocation& where) {
  using Fold = BrickFold<Index, Value, Brick, Op>;
  using Part = BrickFoldPart<Fold, Value>;
  constexpr std::size_t kPieces = 16;  // for each thread, if they are expensive to combine
  const auto n = static_cast<std::uint64_t>(last - first);
  if (n == 0) return identity;
  const std::uint64_t unit = kCombinedAtOnce<Value> ? 1 : (n - 1) / (kPieces * num_threads()) + 1;
  return EndingCalls()([&] {
    const Fold fold{first, Blocks::last_longer(n, unit), identity, brick, op};
    Part part(fold);
    detail::run_part<"std::execution reduction">(fold.steps.count(), part, where);
    return Value(std::move(part.value()));
  });
}

/// Ends the reduction that called the brick that calls this: its other bricks need not run any
/// more.
inline void cancel_fold() noexcept {
  if (cancellable != nullptr) cancellable->lower_to(0);
}

/// Whether a loop with one sum is made into vectors: clang does so where nothing is rounded.
template <class T, class Op>
inline constexpr bool kAddedInVectors =
#ifdef __clang__
    kExact<T> && kTakesNanoseconds<std::remove_const_t<Op>, T>;
#else
    false;
#endif

/// Numbers that are added up in several sums at a time.
template <class Index, class T, class First, class Combine>
inline constexpr bool kAddedInLanes =
    std::is_arithmetic_v<T> && !kAddedInVectors<T, Combine> &&
    std::is_same_v<std::remove_cvref_t<std::invoke_result_t<First&, Index>>, T> &&
    CopiedToThreads<Combine, T, T>;

inline constexpr std::uint64_t kLanes = 8;

/// The total of n numbers, 1 or more: as many sums as the processor adds up at the same time. A
/// brick has one, each operation of which waits for the one before it. The standard's reductions
/// may change the order of their operands.
template <class T, class Index, class First, class Combine>
T add_lanes(Index begin, std::uint64_t n, First& element, Combine& combine) {
  Held<First, Index> own = element;
  Held<Combine, T, T> op_of_two = combine;
  const auto at = [&](std::uint64_t i) { return static_cast<T>(own(detail::behind(begin, i))); };
  const auto add = [&](T left, T right) { return static_cast<T>(op_of_two(left, right)); };
  T s0 = at(0);
  std::uint64_t i = 1;
  if (n >= 2 * kLanes) {
    T s1 = at(1), s2 = at(2), s3 = at(3), s4 = at(4), s5 = at(5), s6 = at(6), s7 = at(7);
    for (i = kLanes; n - i >= kLanes; i += kLanes) {
      s0 = add(s0, at(i));
      s1 = add(s1, at(i + 1));
      s2 = add(s2, at(i + 2));
      s3 = add(s3, at(i + 3));
      s4 = add(s4, at(i + 4));
      s5 = add(s5, at(i + 5));
      s6 = add(s6, at(i + 6));
      s7 = add(s7, at(i + 7));
    }
    s0 = add(add(add(s0, s4), add(s2, s6)), add(add(s1, s5), add(s3, s7)));
  }
  for (; i < n; ++i) s0 = add(s0, at(i));
  return s0;
}

/// The length of the blocks that a reduction's tree combines.
inline Blocks blocks_of_bricks(std::uint64_t n, std::uint64_t most) noexcept {
  return Blocks::last_longer(
      n, std::max(std::uint64_t{2}, chunk_block_size(n, most, automatic_grain)));
}

/// A reduction of floating-point numbers, of which each block has a sum.
template <class Index, class T, class First, class Combine>
struct SumsOfBlocks {
  using Value = T;
  using Inner = const SumsOfBlocks&;

  Index first;
  First& element;
  Combine& op;
  T identity{};  // of no block
  Progress* progress = nullptr;

  Inner inner() const noexcept { return *this; }

  T in_lanes(const T&, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const noexcept {
    at = hi;
    return detail::add_lanes<T>(detail::behind(first, lo), hi - lo, element, op);
  }
};

/// A reduction without an identity, as detail::reduce has it: an accumulator is empty before its
/// first two elements.
template <class Index, class T, class First, class Combine, class Brick>
struct TransformReduction {
  using Value = std::optional<T>;
  using Inner = const TransformReduction&;
  struct Op {
    Combine& combine;
    Value operator()(Value left, Value right) const noexcept {
      Combine own = combine;
      return Value(static_cast<T>(own(std::move(*left), std::move(*right))));
    }
  };

  Index first;
  IndexRange<std::uint64_t> range;
  First& element;
  Combine& combine;
  Brick& brick;
  Op op{combine};
  Value identity{};
  Progress* progress = nullptr;

  static Blocks in_tree(std::uint64_t n, std::uint64_t most, std::size_t) noexcept {
    return detail::blocks_of_bricks(n, most);
  }
  static Blocks in_turn(std::uint64_t n, std::size_t) noexcept { return Blocks::last_longer(n, 2); }
  static std::size_t steps_in_turn(std::size_t) noexcept { return automatic_grain; }
  template <class Run>
  static void in_stretches(std::uint64_t lo, std::uint64_t hi, Run run) {
    run(lo, hi);
  }
  Inner inner() const noexcept { return *this; }

  /// Adds [lo, hi), which has two elements or more if the accumulator is empty.
  FURCA_NOINLINE void add(Value& accumulator, std::uint64_t lo, std::uint64_t hi,
                          std::uint64_t& at) const noexcept {
    at = hi;
    Index begin = detail::behind(first, lo);
    if constexpr (kAddedInLanes<Index, T, First, Combine>) {
      if (hi - lo >= 2 * kLanes) {
        const T sum = detail::add_lanes<T>(begin, hi - lo, element, combine);
        accumulator = accumulator ? static_cast<T>(combine(*accumulator, sum)) : sum;
        return;
      }
    }
    if (!accumulator) {
      First own = element;
      Combine own_op = combine;
      accumulator.emplace(static_cast<T>(own_op(own(begin), own(detail::behind(begin, 1)))));
      begin = detail::behind(begin, 2);
    }
    if (const Index end = detail::behind(first, hi); begin != end)
      accumulator.emplace(brick(begin, end, std::move(*accumulator)));
  }
};

/// The total of n elements, 2 or more, of a type that is only moved: an accumulator cannot be a
/// copy of an empty one, so parts are halved.
template <class T, class Index, class First, class Combine, class Brick>
T reduce_moved(Index first, std::uint64_t n, First& element, Combine& combine, Brick& brick,
               const SourceLocation& where) noexcept {
  constexpr std::uint64_t kAlone = 64;
  First own = element;
  Combine own_op = combine;
  if (n <= kAlone) {
    const Index third = detail::behind(first, 2);
    T two = own_op(own(first), own(detail::behind(first, 1)));
    return detail::call_brick(brick, third, detail::behind(first, n), std::move(two));
  }
  std::optional<T> left, right;
  const auto reduce = [&](std::optional<T>& total, std::uint64_t lo, std::uint64_t size) {
    total.emplace(
        detail::reduce_moved<T>(detail::behind(first, lo), size, element, combine, brick, where));
  };
  detail::fork_both([&] { reduce(left, 0, n / 2); }, [&] { reduce(right, n / 2, n - n / 2); },
                    where);
  return own_op(std::move(*left), std::move(*right));
}

/// The total of the elements of [first, last) behind `init`; element(i) is one of them, brick(i, j,
/// value) adds a stretch.
/// Numbers have the same bits for any number of threads: blocks that depend on the length alone are
/// combined along a tree, as in parallel_reduce.
template <class Index, class T, class First, class Combine, class Brick>
FURCA_NOINLINE T transform_reduce_bricks(Index first, Index last, First& element, T init,
                                         Combine& combine, Brick& brick,
                                         const SourceLocation& where) {
  const auto n = static_cast<std::uint64_t>(last - first);
  if (n == 0) return init;
  if (n == 1) return detail::call_brick(brick, first, last, std::move(init));
  if constexpr (!std::copy_constructible<T>) {
    Worker::current();  // may throw std::bad_alloc, and nothing below does
    T total = detail::reduce_moved<T>(first, n, element, combine, brick, where);
    return EndingCalls()(
        [&] { return static_cast<T>(combine(std::move(init), std::move(total))); });
  } else if constexpr (!kExact<T> && kAddedInLanes<Index, T, First, Combine>) {
    using Shared = SumsOfBlocks<Index, T, First, Combine>;
    const Blocks blocks = detail::blocks_of_bricks(n, AlignedTree<T>::kMostBlocks);
    Worker::current();  // may throw std::bad_alloc, and nothing below does
    return EndingCalls()([&] {
      return static_cast<T>(combine(
          init, detail::reduce_with<AlignedPart<Shared>, "std::execution reduction">(
                    Shared{first, element, combine}, blocks, automatic_grain, StopToken(), where)));
    });
  } else {
    constexpr bool kTree = !kExact<T> && sizeof(T) <= 1'024;
    const TransformReduction<Index, T, First, Combine, Brick> shared{
        first, {0, n}, element, combine, brick};
    std::optional<T> total = detail::reduce<kTree, "std::execution reduction">(
        shared, {.tree = kTree ? ReduceTree::aligned : ReduceTree::by_schedule}, where);
    return EndingCalls()(
        [&] { return static_cast<T>(combine(std::move(init), std::move(*total))); });
  }
}

}  // namespace furca::detail
