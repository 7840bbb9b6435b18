// The part of a reduction that has an accumulator for each block, and combines them along the aligned tree.
#pragma once

#include <furca/detail/aligned_tree.hpp>
#include <furca/detail/blocks.hpp>
#include <furca/detail/fold.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace furca::detail {

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

}  // namespace furca::detail
