// The part of a reduction that has an accumulator for each block, and combines them along the
// aligned tree.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/opaque.hpp>
#include <furca/detail/loop/aligned_tree.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/detail/loop/loop.hpp>
#include <furca/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace furca::detail {

/// Runs blocks of a reduction, from index `first` on: run(at) moves `at` to the index that it has
/// come to, also if it throws.
template <class Run>
FURCA_INLINE inline void run_counted(const Blocks& blocks, std::uint64_t first, LoopEnd& end,
                                     Progress* progress, Run run) {
  std::uint64_t at = first;
  try {
    run(at);
  } catch (...) {
    end.lower_to(blocks.with(at));
    add_steps(progress, at - first);
    throw;
  }
  add_steps(progress, at - first);
}

/// Adds what blocks contribute to accumulators that lie side by side, one for each; small ones are
/// made here. The blocks have a length, and the last one ends at `end`. `at` is where the first one
/// begins, and in the end, or when something throws, where it stands. The way that a block is added
/// up depends on what all blocks have in common, since compilers round each in its own way. opaque:
/// else a single block, or the last one, would have a copy of the loop.
template <class Shared>
FURCA_COMPILED_ONCE FURCA_UNROLLED_LOOP void add_blocks(const Shared& shared,
                                                        typename Shared::Value* accumulators,
                                                        std::uint32_t blocks, std::uint64_t length,
                                                        std::uint64_t end, std::uint64_t& at) {
  using T = typename Shared::Value;
  const typename Shared::Inner fold = shared.inner();
  if constexpr (requires { fold.one_each(shared.identity, accumulators, end, at); }) {
    if (length == 1) return fold.one_each(shared.identity, accumulators, end, at);
  }
  for (; blocks > 0; --blocks, ++accumulators) {
    const std::uint64_t lo = at;
    const std::uint64_t hi = detail::opaque(blocks) == 1 ? end : lo + length;
    if constexpr (requires { fold.in_lanes(shared.identity, lo, hi, at); }) {
      *accumulators = fold.in_lanes(shared.identity, lo, hi, at);
    } else if constexpr (kSmallAccumulator<T>) {
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
    detail::run_counted(*blocks_, blocks_->at(lo), end, shared_->progress, [&](std::uint64_t& at) {
      const std::uint64_t length = blocks_->length();
      for (std::uint64_t k = lo; k < hi;) {
        if constexpr (kSmallAccumulator<T>) {
          const std::uint64_t stop = std::min(hi, (k | (kGroup - 1)) + 1);
          add_group(static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(stop), length, at);
          k = stop;
        } else {
          T accumulator(shared_->identity);
          detail::add_blocks(*shared_, __builtin_addressof(accumulator), 1, length,
                             blocks_->at(k + 1), at);
          tree_.append(0, static_cast<std::uint32_t>(k), std::move(accumulator), shared_->op);
          ++k;
        }
      }
    });
  }

  AlignedPart fresh() const noexcept { return AlignedPart(*shared_, *blocks_); }
  void absorb(AlignedPart&& right) { tree_.append(std::move(right.tree_), shared_->op); }
  T total() { return tree_.empty() ? T(shared_->identity) : tree_.total(shared_->op); }

  /// The result of what has been run, for whoever combines it with other stretches.
  AlignedTree<T>& tree() noexcept { return tree_; }

 private:
  static constexpr std::uint32_t kLevels = 3;
  static constexpr std::uint32_t kGroup = std::uint32_t{1} << kLevels;

  /// Adds blocks [start, stop), kGroup of them at most. A whole node of the tree is appended as
  /// one: a block may have so few elements that it takes less time than appending it.
  void add_group(std::uint32_t start, std::uint32_t stop, std::uint64_t length, std::uint64_t& at) {
    const std::uint32_t blocks = stop - start;
    Accumulators<T, kGroup> nodes;  // filled as far as there are blocks
    detail::add_blocks(*shared_, nodes.values, blocks, length, blocks_->at(stop), at);
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

/// Few blocks of numbers: each has a slot in the caller's frame, which all threads share, and the
/// caller combines them along the tree, in less time than parts are appended to each other.
template <class Shared>
class SlotsPart {
 public:
  using T = typename Shared::Value;

  SlotsPart(const Shared& shared, const Blocks& blocks, T* slots) noexcept
      : shared_(&shared), blocks_(&blocks), slots_(slots) {}

  /// Any number of threads at once.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    detail::run_counted(*blocks_, blocks_->at(lo), end, shared_->progress, [&](std::uint64_t& at) {
      detail::add_blocks(*shared_, slots_ + lo, static_cast<std::uint32_t>(hi - lo),
                         blocks_->length(), blocks_->at(hi), at);
    });
  }

  T total() {
    if (blocks_->count() == 0) return T(shared_->identity);
    detail::combine(shared_->op, slots_, static_cast<std::size_t>(blocks_->count()));
    return slots_[0];
  }

 private:
  const Shared* shared_;
  const Blocks* blocks_;
  T* slots_;
};

}  // namespace furca::detail
