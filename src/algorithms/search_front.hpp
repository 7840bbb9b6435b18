// The front of a search: the positions that are looked at next, and by whom.
//
// Positions are claimed from the front, so that what lies in front of a hit has been claimed before
// it. A thread claims a block, and of that a piece at a time:
// so its next piece mostly lies behind its last one, which is how memory is read at full speed, and
// its claims do not touch what other threads write. Whoever claims a piece looks at it before it
// does anything else. But who has a block may have no more steps of the loop: so from time to time,
// and when there are no new blocks, threads take pieces of others' blocks.
// Rejected: pieces straight from the front. Those of two threads alternate, and each is in another
// place than the thread's last one: two threads took 0.8 of one thread's time for 80 MB, and take
// two thirds so. Blocks of some microseconds near the front: 64 threads found a hit at 10^5 hardly
// sooner than seven.
// Rejected: blocks twice or four times as long, for fewer claims. Two threads went through 10^5
// without a hit in 3 and 5 % less time at best; but a hit is found later in a longer block, and at
// 10^7 a find took 1.0 to 1.5 times as long with the longest.
//
// Checked by: tests/model/programs/search_front_programs.hpp ("search front: two threads, one
// place")
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <algorithm>
#include <atomic>
#include <bit>

namespace furca::detail {

/// Neighbouring positions that one thread looks at.
struct Claim {
  std::uint64_t from;
  std::uint64_t to;
  bool empty() const noexcept { return from >= to; }
};

/// A thread that claims.
struct Claimant {
  std::size_t thread;
  // when the front is there, it looks for blocks that others have left
  std::uint64_t next_look = 0;
};

/// The rest of [0, n) that is not claimed yet: all threads of a search share one. Every access is
/// relaxed: a claim is one word, and says nothing about others.
template <class Machine>
class BasicSearchFront {
 public:
  class Blocks;

  /// From now on threads claim blocks, which is worth while when many positions are left; or null:
  /// no thread claims any more.
  void use(Blocks* blocks) noexcept { blocks_ = blocks; }

  /// Claims up to `most` positions below `end`, or more. `end`: n, or where a hit was seen. None,
  /// if all of those have been claimed, or are in blocks that others are about to lay: when all
  /// threads have ended, all is known.
  Claim claim(Claimant& claimant, std::uint64_t most, std::uint64_t end) noexcept {
    if (blocks_ == nullptr) {
      const std::uint64_t from = next_.fetch_add(most, std::memory_order_relaxed);
      return {from, std::min(end, from + most)};
    }
    return blocks_->claim(claimant, most, end, next_);
  }

  /// The number of positions below `end` that are not claimed. All threads have ended.
  std::uint64_t left(std::uint64_t end) const noexcept {
    const std::uint64_t next = next_.load(std::memory_order_relaxed);
    return (next < end ? end - next : 0) + (blocks_ != nullptr ? blocks_->left(end) : 0);
  }

 private:
  typename Machine::template Atomic<std::uint64_t> next_{0};  // in no block yet
  Blocks* blocks_ = nullptr;
};

/// Blocks that threads have claimed. In a frame of its own: most searches are too short for it.
template <class Machine>
class BasicSearchFront<Machine>::Blocks {
 public:
  using Word = typename Machine::template Atomic<std::uint64_t>;

  explicit Blocks(std::size_t threads) noexcept : threads_(threads) {}

  Claim claim(Claimant& claimant, std::uint64_t most, std::uint64_t end, Word& front) noexcept {
    Rest& own = rests_[claimant.thread % kRests];
    for (;;) {
      std::uint64_t seen = own.left.load(std::memory_order_relaxed);
      if (const Claim piece = claim_of(own, seen, most, end); !piece.empty()) return piece;
      std::uint64_t from = front.load(std::memory_order_relaxed);
      if (from >= end) return claim_of_any(most, end);
      if (from >= claimant.next_look) {
        // A thread that has kept pace is not so far behind.
        if (const Claim piece = claim_of_any(most, std::min(end, from / 2)); !piece.empty())
          return piece;
        claimant.next_look = 2 * from;
      }
      // A block is small beside what lies in front of it, for each thread: so a hit in it is found
      // hardly later than if all threads looked at it.
      const auto bits =
          static_cast<unsigned>(std::bit_width(std::max(kLeastBlock, from / (4 * threads_))) - 1);
      const std::uint64_t behind = ((from >> bits) + 1) << bits;
      if (!front.compare_exchange_weak(from, behind, std::memory_order_relaxed,
                                       std::memory_order_relaxed))
        continue;
      const Claim piece{from, std::min({behind, from + most, end})};
      if (from + most >= behind) return piece;
      // If another thread has laid its own rest there meanwhile, this one keeps the whole block.
      if (own.left.compare_exchange_strong(seen, (piece.to << kBits) | bits,
                                           std::memory_order_relaxed, std::memory_order_relaxed))
        return piece;
      return {from, std::min(behind, end)};
    }
  }

  std::uint64_t left(std::uint64_t end) const noexcept {
    std::uint64_t sum = 0;
    for (const Rest& rest : rests_) {
      const Claim all = rest_of(rest.left.load(std::memory_order_relaxed));
      if (all.from < std::min(all.to, end)) sum += std::min(all.to, end) - all.from;
    }
    return sum;
  }

 private:
  static constexpr unsigned kBits = 6;  // 58 are left for positions: years
  static constexpr std::uint64_t kLeastBlock = Machine::kLeastBlock;
  static constexpr std::size_t kRests = Machine::kRests;  // more threads share them

  /// The unclaimed part of a block: the first position, and in the lowest bits the logarithm of
  /// what the block's end is a multiple of: the next one, and none is left at one. Blocks are laid
  /// in the order of their positions, so a word that has been seen before means the same.
  struct alignas(64) Rest {
    Word left{0};
  };

  static Claim rest_of(std::uint64_t word) noexcept {
    const std::uint64_t from = word >> kBits;
    const std::uint64_t bits = word & ((1U << kBits) - 1);
    return {from, ((from + (std::uint64_t{1} << bits) - 1) >> bits) << bits};
  }

  /// A piece of what is left there. `seen`: what was seen there; if nothing is left, what is there.
  static Claim claim_of(Rest& rest, std::uint64_t& seen, std::uint64_t most,
                        std::uint64_t end) noexcept {
    for (;;) {
      const Claim all = rest_of(seen);
      const Claim piece{all.from, std::min({all.to, all.from + most, end})};
      const std::uint64_t word = (piece.to << kBits) | (seen & ((1U << kBits) - 1));
      if (piece.empty() || rest.left.compare_exchange_weak(seen, word, std::memory_order_relaxed,
                                                           std::memory_order_relaxed))
        return piece;
    }
  }

  Claim claim_of_any(std::uint64_t most, std::uint64_t end) noexcept {
    const auto used = static_cast<std::size_t>(std::min<std::uint64_t>(kRests, threads_));
    for (std::size_t i = 0; i < used; ++i) {
      std::uint64_t seen = rests_[i].left.load(std::memory_order_relaxed);
      if (const Claim piece = claim_of(rests_[i], seen, most, end); !piece.empty()) return piece;
    }
    return {end, end};
  }

  const std::uint64_t threads_;
  Rest rests_[kRests];
};

}  // namespace furca::detail
