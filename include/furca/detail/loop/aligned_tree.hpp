// Combining blocks along a tree that depends on nothing but their numbers.
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/memory.hpp>
#include <furca/detail/loop/combine.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// A tree's levels where nothing else is said. Numbers have blocks for all threads of a thousand
/// machines. What is small but no number, as std::vector, has fewer, since combining two may take
/// long; large accumulators have few, since they sit in stack frames.
template <class T>
constexpr std::size_t levels_for() noexcept {
  if (std::is_trivially_copyable_v<T> && sizeof(T) <= 32) return 20;
  return sizeof(T) <= 64 ? 12 : 8;
}

/// The tree over blocks 0 .. n-1 is the binary tree of aligned stretches: node (level, k) covers
/// blocks [k << level, (k+1) << level) and is op(its left half, its right half). A stretch of
/// blocks is held as the largest whole nodes in it, from left to right:
/// sizes go up, then down, so at most two for each level.
///
/// Adding a block on the right closes nodes as a binary counter carries; appending the stretch to
/// the right does the same node by node. Every node is formed from the same two values, whichever
/// threads ran them and when: hence the same bits.
///
/// `kLevels`: of the tree with the most blocks, so that a stretch has a fixed place.
template <class T, std::size_t kLevels = levels_for<T>()>
class AlignedTree {
 public:
  static constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << kLevels;
  static constexpr std::size_t kMostNodes = 2 * kLevels + 2;  // of a stretch of blocks

  AlignedTree() noexcept {}  // NOLINT: the slots are raw
  /// Delegates, so that the destructor runs if moving a node throws.
  AlignedTree(AlignedTree&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : AlignedTree() {
    adopt_nodes(other);
  }
  AlignedTree& operator=(AlignedTree&&) = delete;
  ~AlignedTree() { clear(); }

  bool empty() const noexcept { return count_ == 0; }
  std::size_t nodes() const noexcept { return count_; }

  /// f(level, start, value) for each node, from left to right: what another process needs to append
  /// this stretch to its own.
  template <class F>
  void for_each_node(F f) const {
    for (std::size_t i = 0; i < count_; ++i) f(spans_[i].level, spans_[i].start, slots_.values[i]);
  }

  /// Adds the block (level 0) or node that begins right behind what is here.
  /// After a stop there may be gaps before it, and then more nodes than levels: what does not fit
  /// is combined as it comes, since there is no tree to be true to any more.
  template <class Op>
  void append(std::uint32_t level, std::uint32_t start, T value, Op& op) {
    std::construct_at(slot(count_), std::move(value));
    spans_[count_++] = {start, level};
    while (count_ > 1 &&
           (is_left_sibling(spans_[count_ - 2], spans_[count_ - 1]) || count_ > kMostNodes)) {
      level = count_ > kMostNodes ? kNoLevel : level + 1;
      combine_last(op);
      spans_[count_ - 1].level = level;
    }
  }

  /// Adds the stretch that begins right behind this one.
  template <class Op>
  void append(AlignedTree&& right, Op& op) {
    for (std::size_t i = 0; i < right.count_; ++i)
      append(right.spans_[i].level, right.spans_[i].start, std::move(*right.slot(i)), op);
  }

  /// The sum of all blocks: the nodes that are left, from the right end on. There is at least one.
  template <class Op>
  T total(Op& op) {
    assert(count_ > 0);
    while (count_ > 1) combine_last(op);
    return std::move(*slot(0));
  }

 private:
  // of a node that is not whole: it is no node's sibling
  static constexpr std::uint32_t kNoLevel = 64;

  struct Span {
    std::uint32_t start;
    std::uint32_t level;
  };

  static bool is_left_sibling(Span left, Span right) noexcept {
    return left.level == right.level && left.level < kNoLevel / 2 &&
           ((left.start >> left.level) & 1U) == 0 && left.start + (1U << left.level) == right.start;
  }

  T* slot(std::size_t i) noexcept { return slots_.values + i; }

  template <class Op>
  void combine_last(Op& op) {
    detail::combine(op, slot(count_ - 2), 2);
    drop_last();
  }

  void drop_last() noexcept {
    --count_;
    std::destroy_at(slot(count_));
  }

  void clear() noexcept {
    while (count_ > 0) drop_last();
  }

  void adopt_nodes(AlignedTree& other) {
    for (; count_ < other.count_; ++count_) {
      std::construct_at(slot(count_), std::move(*other.slot(count_)));
      spans_[count_] = other.spans_[count_];
    }
  }

  std::size_t count_ = 0;
  std::array<Span, kMostNodes + 1> spans_;  // one more: what was appended last
  Accumulators<T, kMostNodes + 1> slots_;
};

/// Elements in a block: what `n` alone decides. Small loops have blocks of few elements, because
/// those may be expensive; then blocks grow to 2,048, and beyond that when there would be too many.
constexpr std::uint64_t block_size(std::uint64_t n, std::uint64_t most_blocks,
                                   std::uint64_t grain) noexcept {
  constexpr std::uint64_t kFewBlocks = 256;
  constexpr std::uint64_t kFullBlock = 2048;
  const auto for_blocks = [n](std::uint64_t blocks) {
    return n <= blocks ? 1 : std::bit_ceil((n - 1) / blocks + 1);
  };
  const std::uint64_t fine = std::min(for_blocks(kFewBlocks), kFullBlock);
  const std::uint64_t floor = std::bit_ceil(std::min(grain, std::uint64_t{1} << 62U));
  return std::max({fine, for_blocks(most_blocks), floor});
}

}  // namespace furca::detail
