// The parts of a reduction: with one accumulator for all that a thread runs, or with a tree of blocks.
#pragma once

#include <furca/detail/aligned_tree.hpp>
#include <furca/detail/blocks.hpp>
#include <furca/detail/contribution.hpp>
#include <furca/detail/index_range.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/memory.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/refuse.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/stop_token.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Accumulators that a loop keeps in registers if they are variables of its own: then none of its loads and stores can be theirs.
template <class T>
inline constexpr bool kSmallAccumulator = std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> && sizeof(T) <= 64;

/// Operations on numbers that take a nanosecond or so.
template <class Op, class T>
inline constexpr bool kTakesNanoseconds = std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>> || std::is_same_v<Op, std::multiplies<>> ||
                                          std::is_same_v<Op, std::multiplies<T>> || std::is_same_v<Op, std::bit_and<>> ||
                                          std::is_same_v<Op, std::bit_or<>> || std::is_same_v<Op, std::bit_xor<>>;

/// A map that is nothing but a look at a number in memory: nobody sees in which order.
template <class Map>
inline constexpr bool kLooksAtNumber = false;

/// What an element of a range contributes. A value, not a reference: it may point into an element that exists only here.
template <class Iterator, class T, class Map>
struct MappedElement {
  Map& map;
  Iterator begin;

  T operator()(std::size_t i) const { return static_cast<T>(detail::invoke(map, begin[static_cast<std::iter_difference_t<Iterator>>(i)])); }
};
template <std::contiguous_iterator Iterator, class T>
inline constexpr bool kLooksAtNumber<MappedElement<Iterator, T, std::identity>> =
    std::is_arithmetic_v<std::iter_value_t<Iterator>> && !std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<Iterator>>>;

/// The inner loop of a reduction, with the user's callables as Held holds them.
template <class Index, class T, class Map, class Op>
class Fold {
 public:
  Fold(const IndexRange<Index>& range, Map& map, Op& op) : range_(range), contribution_(map), combine_(op) {}

  /// Adds what the indices [lo, hi) of the range contribute, in their order. `at` is where it stands at the end, or when something throws.
  void add(T& accumulator, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const {
    const Index stop = range_.at(hi);
    Index i = range_.at(lo);
    try {
      // The casts make values: op may return a reference to one of its arguments.
      for (; i != stop; ++i) {
        if constexpr (kMaps)
          accumulator = static_cast<T>(detail::invoke(combine_, std::move(accumulator), static_cast<T>(detail::invoke(contribution_, Index(i)))));
        else
          detail::invoke(contribution_, accumulator, Index(i));
      }
    } catch (...) {
      at = range_.step(i);
      throw;
    }
    at = hi;
  }

  /// Several blocks may go through at once: nobody sees it, and nothing throws.
  static constexpr bool kSideBySide = std::is_arithmetic_v<T> && kTakesNanoseconds<std::remove_const_t<Op>, T> && kLooksAtNumber<std::remove_const_t<Map>>;

  /// Adds kBlocks neighbouring blocks of `length` indices, from `lo` on, each into an accumulator of its own: an addition waits for the one before it in its block
  /// alone. Each block's additions keep their order, so the bits are those of one block after the other.
  template <std::size_t kBlocks>
  void add_side_by_side(T* accumulators, std::uint64_t lo, std::uint64_t length) const
    requires kSideBySide
  {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      std::array<T, kBlocks> sums{accumulators[k]...};
      for (std::uint64_t i = lo; i < lo + length; ++i) ((sums[k] = next(sums[k], i + k * length)), ...);
      ((accumulators[k] = sums[k]), ...);
    }(std::make_index_sequence<kBlocks>());
  }

 private:
  T next(T sum, std::uint64_t i) const { return static_cast<T>(detail::invoke(combine_, std::move(sum), static_cast<T>(detail::invoke(contribution_, range_.at(i))))); }

  static constexpr bool kMaps = MapsTo<Map, Index, T>;
  using Contribution = std::conditional_t<kMaps, Held<Map, Index>, Held<Map, T&, Index>>;

  IndexRange<Index> range_;
  Contribution contribution_;
  Held<Op, T, T> combine_;
};

/// What all parts of one reduction have in common.
template <class Index, class T, class Map, class Op>
struct Reduction {
  using Value = T;
  using Inner = Fold<Index, T, Map, Op>;
  using Turns = EachIndex;

  IndexRange<Index> range;
  const T& identity;
  Map& map;
  Op& op;
  Progress* progress;

  /// The steps of its loop: blocks of the aligned tree, or one index each; and how many of these to run at a time at least.
  static Blocks in_tree(std::uint64_t n, std::uint64_t most, std::size_t grain) noexcept {
    return Blocks::last_shorter(n, block_size(n, most, grain == automatic_grain ? 1 : grain));
  }
  static Turns in_turn(std::uint64_t n, std::size_t) noexcept { return Turns(n); }
  static std::size_t steps_in_turn(std::size_t grain) noexcept { return grain; }

  /// Runs the indices [lo, hi), which one accumulator gets, by run(from, to).
  template <class Run>
  static void in_stretches(std::uint64_t lo, std::uint64_t hi, Run run) {
    run_aligned(lo, hi, run);
  }

  Inner inner() const { return Inner(range, map, op); }
};

/// One accumulator for all that a thread runs. Shared: a Reduction, or a ChunkReduction.
template <class Shared>
class SchedulePart {
 public:
  using T = typename Shared::Value;
  using Turns = typename Shared::Turns;
  SchedulePart(const Shared& shared, const Turns& blocks) : shared_(&shared), blocks_(&blocks), accumulator_(shared.identity) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    Shared::in_stretches(blocks_->at(lo), blocks_->at(hi), [&](std::uint64_t from, std::uint64_t to) { run_stretch(from, to, end); });
  }

  SchedulePart fresh() const { return SchedulePart(*shared_, *blocks_); }

  /// op may return a reference to one of its arguments; the left one is in its place already then.
  void absorb(SchedulePart&& right) {
    using Result = std::invoke_result_t<decltype((shared_->op)), T, T>;
    if constexpr (std::is_same_v<Result, T&&> || std::is_same_v<Result, T&>) {
      auto&& result = detail::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_));
      if (std::addressof(result) != std::addressof(accumulator_)) accumulator_ = std::forward<Result>(result);
    } else {
      accumulator_ = static_cast<T>(detail::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_)));
    }
  }

  T total() { return std::move(accumulator_); }

 private:
  /// A function of its own, as in ForPart.
  [[gnu::noinline]] void run_stretch(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    std::uint64_t at = lo;
    try {
      const typename Shared::Inner fold = shared_->inner();
      if constexpr (kSmallAccumulator<T>) {
        T accumulator = accumulator_;
        fold.add(accumulator, lo, hi, at);
        accumulator_ = std::move(accumulator);
      } else {
        fold.add(accumulator_, lo, hi, at);
      }
    } catch (...) {
      end.lower_to(blocks_->beginning_at(at));
      add_steps(shared_->progress, at - lo);
      throw;
    }
    add_steps(shared_->progress, hi - lo);
  }

  const Shared* shared_;
  const Turns* blocks_;
  T accumulator_;
};

/// The aligned tree: an accumulator for each block.
template <class Shared>
class AlignedPart {
 public:
  using T = typename Shared::Value;
  AlignedPart(const Shared& shared, const Blocks& blocks) noexcept : shared_(&shared), blocks_(&blocks) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    const std::uint64_t first = blocks_->at(lo);
    std::uint64_t at = first;
    std::uint64_t k = lo;
    try {
      const Inner fold = shared_->inner();
      const bool short_blocks = lo < hi && blocks_->at(lo + 1) - first < kLongBlock;
      while (k < hi) {
        if constexpr (kSmallAccumulator<T>) {
          add_group(fold, k, std::min(hi, short_blocks ? (k | (kGroup - 1)) + 1 : k + kGroup), at);
        } else {
          T accumulator(shared_->identity);
          fold.add(accumulator, at, blocks_->at(k + 1), at);
          tree_.append(0, static_cast<std::uint32_t>(k), std::move(accumulator), shared_->op);
          ++k;
        }
      }
    } catch (...) {
      end.lower_to(k);
      add_steps(shared_->progress, at - first);
      throw;
    }
    add_steps(shared_->progress, at - first);
  }

  /// Blocks that a thread runs at a time at least, unless the user has said how long they are: as many as are added side by side. Short ones are as good alone.
  static std::size_t grain(const Blocks& blocks) noexcept { return kSideBySide && blocks.count() > 0 && blocks.at(1) >= kLongBlock ? kGroup : automatic_grain; }

  AlignedPart fresh() const noexcept { return AlignedPart(*shared_, *blocks_); }
  void absorb(AlignedPart&& right) { tree_.append(std::move(right.tree_), shared_->op); }
  T total() { return tree_.empty() ? T(shared_->identity) : tree_.total(shared_->op); }

  /// What has been run, for whoever combines it with other stretches.
  AlignedTree<T>& tree() noexcept { return tree_; }

 private:
  using Inner = typename Shared::Inner;
  static constexpr bool kSideBySide = [] {
    if constexpr (requires { Inner::kSideBySide; }) {
      return Inner::kSideBySide;
    } else {
      return false;
    }
  }();
  static constexpr std::uint32_t kLevels = 3;
  static constexpr std::uint64_t kGroup = std::uint64_t{1} << kLevels;
  static constexpr std::uint64_t kLongBlock = 64;  // elements: appending it takes no time beside adding them

  /// Adds blocks [k, k + kBlocks) into nodes[i] and so on, if they lie in front of `hi`. Not the last block of all with others: it is shorter.
  template <std::size_t kBlocks>
  bool add_neighbours(const Inner& fold, std::array<T, kGroup>& nodes, std::size_t& i, std::uint64_t& k, std::uint64_t hi, std::uint64_t& at) const {
    if (hi - k < kBlocks) return false;
    const std::uint64_t length = blocks_->at(k + 1) - at;
    const std::uint64_t end = blocks_->at(k + kBlocks);
    if (end - at != kBlocks * length) return false;
    std::fill_n(nodes.begin() + i, kBlocks, shared_->identity);
    fold.template add_side_by_side<kBlocks>(&nodes[i], at, length);
    at = end;
    i += kBlocks;
    k += kBlocks;
    return true;
  }

  /// Adds blocks [k, hi), kGroup of them at most. A whole node of the tree is appended as one: a block may have so few elements that it takes less time than
  /// appending it.
  void add_group(const Inner& fold, std::uint64_t& k, std::uint64_t hi, std::uint64_t& at) {
    const auto start = static_cast<std::uint32_t>(k);
    std::array<T, kGroup> nodes;  // filled as far as there are blocks
    std::size_t i = 0;
    if constexpr (kSideBySide) {
      while (add_neighbours<8>(fold, nodes, i, k, hi, at) || add_neighbours<4>(fold, nodes, i, k, hi, at) || add_neighbours<2>(fold, nodes, i, k, hi, at)) {
      }
    }
    for (; k < hi; ++k, ++i) {
      T accumulator(shared_->identity);
      fold.add(accumulator, at, blocks_->at(k + 1), at);
      nodes[i] = std::move(accumulator);
    }
    const std::uint32_t blocks = static_cast<std::uint32_t>(k) - start;
    if (blocks < kGroup || start % kGroup != 0) {
      for (std::uint32_t each = 0; each < blocks; ++each) tree_.append(0, start + each, std::move(nodes[each]), shared_->op);
      return;
    }
    for (std::size_t count = kGroup / 2; count > 0; count /= 2) {
      for (std::size_t node = 0; node < count; ++node)
        nodes[node] = static_cast<T>(detail::invoke(shared_->op, std::move(nodes[2 * node]), std::move(nodes[2 * node + 1])));
    }
    tree_.append(kLevels, start, std::move(nodes[0]), shared_->op);
  }

  const Shared* shared_;
  const Blocks* blocks_;
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
  Owner<Part> part_;
};

/// Steps are blocks, and `grain` is a number of them. `name`: of what it is a part of.
template <class Part, CallName name = "reduction", class Shared, class Steps>
auto reduce_with(const Shared& shared, const Steps& blocks, std::size_t grain, const StopToken& stop, const SourceLocation& where) {
  FirstPart<Part> part([&] { return Part(shared, blocks); });
  Loop(kFunctionsOf<Part, name>, blocks.count(), grain, stop, reduce_cost<Part>, where).run(&*part);
  return (*part).total();
}

/// Integers, and pairs, tuples and arrays of them. An associative operation rounds nothing there, so the schedule's order has the same bits as a tree's, without
/// its blocks: those of a short loop are too short for vectors, and a large accumulator takes longer to combine than to fill. A fold over chunks must round nothing
/// either, as one that counts.
template <class T>
inline constexpr bool kExact = std::is_integral_v<T>;
template <class A, class B>
inline constexpr bool kExact<std::pair<A, B>> = kExact<A> && kExact<B>;
template <class... Ts>
inline constexpr bool kExact<std::tuple<Ts...>> = (kExact<Ts> && ...);
template <class T, std::size_t N>
inline constexpr bool kExact<std::array<T, N>> = kExact<T>;

/// `kSameBits`: enable_same_bits<T>. `name`: as above.
template <bool kSameBits, CallName name = "reduction", class Shared>
auto reduce(const Shared& shared, const ReduceOptions& options, const SourceLocation& where) {
  using T = typename Shared::Value;
  static_assert(!kSameBits || sizeof(T) <= 4'096, "furca: enable_same_bits is for accumulators of up to 4,096 bytes: leave it false for larger ones");
  const bool aligned = options.tree == ReduceTree::aligned || (options.tree == ReduceTree::automatic && kSameBits && !kExact<T>);
  const std::uint64_t n = shared.range.size();
  check_grain(options.grain);
  if constexpr (sizeof(T) <= 4096) {
    if (aligned) {
      const Blocks blocks = Shared::in_tree(n, AlignedTree<T>::kMostBlocks, options.grain);
      return detail::reduce_with<AlignedPart<Shared>, name>(shared, blocks, options.grain == automatic_grain ? AlignedPart<Shared>::grain(blocks) : automatic_grain, options.stop, where);
    }
  } else if (aligned) {
    detail::refuse("furca: an accumulator of more than 4,096 bytes is too large for ReduceTree::aligned, which keeps up to 18 of them for each "
                                "thread; leave .tree out, or put its data on the heap");
  }
  return detail::reduce_with<SchedulePart<Shared>, name>(shared, Shared::in_turn(n, options.grain), Shared::steps_in_turn(options.grain), options.stop, where);
}

}  // namespace furca::detail
