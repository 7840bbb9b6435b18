// The part of a reduction that has an accumulator for each block, and combines them along the
// aligned tree.
#pragma once

#include <furca/detail/base/opaque.hpp>
#include <furca/detail/loop/aligned_tree.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/detail/loop/splitter.hpp>
#include <furca/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace furca::detail {

/// Adds what blocks contribute to accumulators that lie side by side, one for each; small ones are
/// made here. The blocks have a length, and the last one ends at `end`. `at` is where the first one
/// begins, and in the end, or when something throws, where it stands. opaque: else a single block,
/// or the last one, would have a copy of the loop.
template <class Shared>
FURCA_COMPILED_ONCE FURCA_INNER_LOOP void add_blocks(const Shared& shared,
                                                     typename Shared::Value* accumulators,
                                                     std::uint32_t blocks, std::uint64_t length,
                                                     std::uint64_t end, std::uint64_t& at) {
  using T = typename Shared::Value;
  const typename Shared::Inner fold = shared.inner();
  for (; blocks > 0; --blocks, ++accumulators) {
    const std::uint64_t lo = at;
    const std::uint64_t hi = detail::opaque(blocks) == 1 ? end : lo + length;
    if constexpr (kSmallAccumulator<T>) {
      T accumulator = shared.identity;
      fold.add(accumulator, lo, hi, at);
      std::construct_at(accumulators, std::move(accumulator));
    } else {
      fold.add(*accumulators, lo, hi, at);
    }
  }
}

/// The aligned tree: an accumulator for each block.
template <class Shared>
class AlignedPart {
 public:
  using T = typename Shared::Value;
  AlignedPart(const Shared& shared, const Blocks& blocks) noexcept
      : shared_(&shared), blocks_(&blocks) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    const std::uint64_t first = blocks_->at(lo);
    std::uint64_t at = first;
    try {
      const Inner fold = shared_->inner();
      const std::uint64_t length =
          lo < hi ? blocks_->at(lo + 1) - first : 0;  // of all but the last
      for (std::uint64_t k = lo; k < hi;) {
        if constexpr (kSmallAccumulator<T>) {
          const std::uint64_t stop =
              std::min(hi, length < kLongBlock ? (k | (kGroup - 1)) + 1 : k + kGroup);
          add_group(fold, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(stop), length,
                    at);
          k = stop;
        } else {
          T accumulator(shared_->identity);
          detail::add_blocks(*shared_, &accumulator, 1, length, blocks_->at(k + 1), at);
          tree_.append(0, static_cast<std::uint32_t>(k), std::move(accumulator), shared_->op);
          ++k;
        }
      }
    } catch (...) {
      end.lower_to(blocks_->with(at));
      add_steps(shared_->progress, at - first);
      throw;
    }
    add_steps(shared_->progress, at - first);
  }

  /// Blocks that a thread runs at a time at least, unless the user has said how long they are: as
  /// many as are added side by side. Short ones are as good alone.
  static std::size_t grain(const Blocks& blocks) noexcept {
    return kSideBySide && blocks.count() > 0 && blocks.at(1) >= kLongBlock ? kGroup
                                                                           : automatic_grain;
  }

  AlignedPart fresh() const noexcept { return AlignedPart(*shared_, *blocks_); }
  void absorb(AlignedPart&& right) { tree_.append(std::move(right.tree_), shared_->op); }
  T total() { return tree_.empty() ? T(shared_->identity) : tree_.total(shared_->op); }

  /// The result of what has been run, for whoever combines it with other stretches.
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
  static constexpr std::uint32_t kGroup = std::uint32_t{1} << kLevels;
  // elements: appending it takes no time beside adding them
  static constexpr std::uint64_t kLongBlock = 64;

  /// Adds up so many neighbouring blocks, if there are as many up to `end`. Not the last block of
  /// all with others: it is shorter.
  template <std::uint32_t kBlocks>
  bool add_neighbours(const Inner& fold, T*& nodes, std::uint32_t& blocks, std::uint64_t length,
                      std::uint64_t end, std::uint64_t& at) const {
    if (blocks < kBlocks || end - at < kBlocks * length) return false;
    fold.template add_side_by_side<kBlocks>(nodes, shared_->identity, at, length);
    at += kBlocks * length;
    nodes += kBlocks;
    blocks -= kBlocks;
    return true;
  }

  /// Makes accumulators of so many blocks, the last of which ends at `end`.
  void add_up(const Inner& fold, T* nodes, std::uint32_t blocks, std::uint64_t length,
              std::uint64_t end, std::uint64_t& at) const {
    if constexpr (kSideBySide) {
      while (add_neighbours<8>(fold, nodes, blocks, length, end, at) ||
             add_neighbours<4>(fold, nodes, blocks, length, end, at) ||
             add_neighbours<2>(fold, nodes, blocks, length, end, at)) {
      }
      if (blocks == 0) return;
    }
    detail::add_blocks(*shared_, nodes, blocks, length, end, at);
  }

  /// Adds blocks [start, stop), kGroup of them at most. A whole node of the tree is appended as
  /// one: a block may have so few elements that it takes less time than appending it.
  void add_group(const Inner& fold, std::uint32_t start, std::uint32_t stop, std::uint64_t length,
                 std::uint64_t& at) {
    const std::uint32_t blocks = stop - start;
    Accumulators<T, kGroup> nodes;  // filled as far as there are blocks
    add_up(fold, nodes.values, blocks, length, blocks_->at(stop), at);
    if (blocks < kGroup || start % kGroup != 0) {
      for (std::uint32_t each = 0; each < blocks; ++each)
        tree_.append(0, start + each, std::move(nodes.values[each]), shared_->op);
      return;
    }
    detail::combine(shared_->op, nodes.values, kGroup);
    tree_.append(kLevels, start, std::move(nodes.values[0]), shared_->op);
  }

  const Shared* shared_;
  const Blocks* blocks_;
  AlignedTree<T> tree_;
};

}  // namespace furca::detail
