// The share of a reduction that one rank has.
#pragma once

#include <furca/detail/loop/aligned_part.hpp>
#include <furca/detail/loop/aligned_tree.hpp>
#include <furca/detail/loop/blocks.hpp>

namespace furca::detail {

/// The blocks that parallel_reduce has for n indices.
template <class T>
Blocks blocks_over_ranks(std::uint64_t n) noexcept {
  return Blocks::last_shorter(n, block_size(n, AlignedTree<T>::kMostBlocks, 1));
}

/// The first block of a rank; that of rank `size` is the end.
inline std::uint64_t first_block(const Blocks& blocks, int rank, int size) noexcept {
  return blocks.count() * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(size);
}

/// The part of a reduction that one rank has: its loop counts from 0, its blocks from `first`.
template <class Shared>
class SharePart {
 public:
  SharePart(AlignedPart<Shared>&& part, std::uint64_t first)
      : part_(std::move(part)), first_(first) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    LoopEnd thrown(first_ + hi);
    try {
      part_.run(first_ + lo, first_ + hi, thrown);
    } catch (...) {
      end.lower_to(thrown.get() - first_);
      throw;
    }
  }

  SharePart fresh() const { return SharePart(part_.fresh(), first_); }
  void absorb(SharePart&& right) { part_.absorb(std::move(right.part_)); }
  auto& tree() noexcept { return part_.tree(); }

 private:
  AlignedPart<Shared> part_;
  std::uint64_t first_;
};

/// What can be sent to another rank as it is.
template <class T>
inline constexpr bool kSendable = std::is_trivially_copyable_v<T> && sizeof(T) <= 1'024;

}  // namespace furca::detail
