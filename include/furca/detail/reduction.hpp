// The parts of a reduction: with one accumulator for all that a thread runs, or with a tree of blocks.
#pragma once

#include <furca/detail/aligned_tree.hpp>
#include <furca/detail/blocks.hpp>
#include <furca/detail/contribution.hpp>
#include <furca/detail/index_range.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// What all parts of one reduction have in common.
template <class Index, class T, class Map, class Op>
struct Reduction {
  using Value = T;

  IndexRange<Index> range;
  const T& identity;
  Map& map;
  Op& op;
  Progress* progress;

  /// The steps of its loop: blocks of the aligned tree, or one index each; and how many of these to run at a time at least.
  static Blocks in_tree(std::uint64_t n, std::uint64_t most, std::size_t grain) noexcept {
    return Blocks::last_shorter(n, block_size(n, most, grain == automatic_grain ? 1 : grain));
  }
  static Blocks in_turn(std::uint64_t n, std::size_t) noexcept { return Blocks::last_shorter(n, 1); }
  static std::size_t steps_in_turn(std::size_t grain) noexcept { return grain; }

  /// Adds what the indices [lo, hi) of the range contribute, in their order. `at` is where it stands at the end, or when something throws.
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

/// One accumulator for all that a thread runs. Shared: a Reduction, or a ChunkReduction.
template <class Shared>
class SchedulePart {
 public:
  using T = typename Shared::Value;
  SchedulePart(const Shared& shared, const Blocks& blocks) : shared_(&shared), blocks_(&blocks), accumulator_(shared.identity) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    const std::uint64_t from = blocks_->at(lo);
    const std::uint64_t to = blocks_->at(hi);
    std::uint64_t at = from;
    try {
      shared_->fold(accumulator_, from, to, at);
    } catch (...) {
      end.lower_to(blocks_->beginning_at(at));
      add_steps(shared_->progress, at - from);
      throw;
    }
    add_steps(shared_->progress, to - from);
  }

  SchedulePart fresh() const { return SchedulePart(*shared_, *blocks_); }

  /// op may return a reference to one of its arguments; the left one is in its place already then.
  void absorb(SchedulePart&& right) {
    using Result = std::invoke_result_t<decltype((shared_->op)), T, T>;
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
  const Blocks* blocks_;
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
    for (std::uint64_t k = lo; k < hi; ++k) {
      try {
        T accumulator(shared_->identity);
        shared_->fold(accumulator, at, blocks_->at(k + 1), at);
        tree_.append(0, static_cast<std::uint32_t>(k), std::move(accumulator), shared_->op);
      } catch (...) {
        end.lower_to(k);
        add_steps(shared_->progress, at - first);
        throw;
      }
    }
    add_steps(shared_->progress, at - first);
  }

  AlignedPart fresh() const noexcept { return AlignedPart(*shared_, *blocks_); }
  void absorb(AlignedPart&& right) { tree_.append(std::move(right.tree_), shared_->op); }
  T total() { return tree_.empty() ? T(shared_->identity) : tree_.total(shared_->op); }

 private:
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
  std::unique_ptr<Part> part_;
};

/// Steps are blocks, and `grain` is a number of them.
template <class Part, class Shared>
auto reduce_with(const Shared& shared, const Blocks& blocks, std::size_t grain, const std::stop_token& stop, const SourceLocation& where) {
  FirstPart<Part> part([&] { return Part(shared, blocks); });
  Loop(kFunctionsOf<Part, Construct::reduction>, blocks.count(), grain, stop, reduce_cost<Part>, where).run(&*part);
  return (*part).total();
}

/// `kSameBits`: enable_same_bits<T>.
template <bool kSameBits, class Shared>
auto reduce(const Shared& shared, const ReduceOptions& options, const SourceLocation& where) {
  using T = typename Shared::Value;
  static_assert(!kSameBits || sizeof(T) <= 4'096, "furca: enable_same_bits is for accumulators of up to 4,096 bytes: leave it false for larger ones");
  const bool aligned = options.tree == ReduceTree::aligned || (options.tree == ReduceTree::automatic && kSameBits);
  const std::uint64_t n = shared.range.size();
  check_grain(options.grain);
  if constexpr (sizeof(T) <= 4096) {
    if (aligned) {
      return detail::reduce_with<AlignedPart<Shared>>(shared, Shared::in_tree(n, AlignedTree<T>::kMostBlocks, options.grain), automatic_grain, options.stop, where);
    }
  } else if (aligned) {
    throw std::invalid_argument("furca: an accumulator of more than 4,096 bytes is too large for ReduceTree::aligned, which keeps up to 18 of them for each "
                                "thread; leave .tree out, or put its data on the heap");
  }
  return detail::reduce_with<SchedulePart<Shared>>(shared, Shared::in_turn(n, options.grain), Shared::steps_in_turn(options.grain), options.stop, where);
}

}  // namespace furca::detail
