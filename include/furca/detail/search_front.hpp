// Which positions of a search are looked at next, and by whom.
//
// Positions are claimed from the front, so that what lies in front of a hit has been claimed before it. A thread claims a block, and of that a piece at a time:
// so its next piece mostly lies behind its last one, which is how memory is read at full speed, and its claims do not touch what other threads write. Once there
// are no new blocks, threads take pieces of each other's. Whoever claims a piece looks at it before it does anything else. So no position waits for a thread
// that has gone, however a loop is shared.
// Rejected: pieces straight from the front. Those of two threads alternate, and each is in another place than the thread's last one: two threads took 0.8 of
// one thread's time for 80 MB, and take two thirds so.
//
// Checked by: tests/model/search_front_programs.hpp ("search front: two threads, one place")
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/atomics.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace furca::detail {

/// Neighbouring positions that one thread looks at.
struct Claim {
  std::uint64_t from;
  std::uint64_t to;
  bool empty() const noexcept { return from >= to; }
};

/// What is not claimed yet of [0, n): all threads of a search share one. Every access is relaxed: a claim is one word, and says nothing about others.
template <class Machine>
class BasicSearchFront {
 public:
  /// From now on threads claim blocks, which is worth while when many positions are left. `threads`: how many there are.
  void use_blocks(std::size_t threads) noexcept {
    threads_ = threads;
    rests_.emplace();
  }

  /// Claims up to `most` positions below `end`, or more. `end`: n, or where a hit was seen. None, if all of those have been
  /// claimed, or are in blocks that others are about to lay: when all threads have ended, all is known.
  Claim claim(std::size_t thread, std::uint64_t most, std::uint64_t end) noexcept {
    if (threads_ == 0) {
      const std::uint64_t from = next_.fetch_add(most, std::memory_order_relaxed);
      return {from, std::min(end, from + most)};
    }
    Rest& own = (*rests_)[thread % kRests];
    for (;;) {
      std::uint64_t seen = own.left.load(std::memory_order_relaxed);
      if (const Claim piece = claim_of(own, seen, most, end); !piece.empty()) return piece;
      std::uint64_t from = next_.load(std::memory_order_relaxed);
      if (from >= end) break;
      // A block is small beside what lies in front of it, for each thread: so a hit in it is found hardly later than if all threads looked at it.
      const std::uint64_t about = std::max({kLeastBlock, most, from / (4 * threads_)});
      const auto bits = static_cast<unsigned>(std::bit_width(about) - 1);
      const std::uint64_t behind = ((from >> bits) + 1) << bits;
      if (!next_.compare_exchange_weak(from, behind, std::memory_order_relaxed, std::memory_order_relaxed)) continue;
      const Claim piece{from, std::min({behind, from + most, end})};
      if (from + most >= behind) return piece;
      // If another thread has laid its own rest there meanwhile, this one keeps the whole block.
      if (own.left.compare_exchange_strong(seen, (piece.to << kBits) | bits, std::memory_order_relaxed, std::memory_order_relaxed)) return piece;
      return {from, std::min(behind, end)};
    }
    for (Rest& rest : *rests_) {
      std::uint64_t seen = rest.left.load(std::memory_order_relaxed);
      if (const Claim piece = claim_of(rest, seen, most, end); !piece.empty()) return piece;
    }
    return {end, end};
  }

 private:
  static constexpr unsigned kBits = 6;  // 58 are left for positions: years
  static constexpr std::uint64_t kLeastBlock = Machine::kLeastBlock;
  static constexpr std::size_t kRests = Machine::kRests;  // more threads share them

  /// What is not claimed of a block: the first position, and in the lowest bits the logarithm of what the block's end is a multiple of: the next one, and none is
  /// left at one. Blocks are laid in the order of their positions, so a word that has been seen before means the same.
  struct alignas(64) Rest {
    typename Machine::template Atomic<std::uint64_t> left{0};
  };

  /// A piece of what is left there. `seen`: what was seen there; if nothing is left, what is there.
  static Claim claim_of(Rest& rest, std::uint64_t& seen, std::uint64_t most, std::uint64_t end) noexcept {
    for (;;) {
      const std::uint64_t from = seen >> kBits;
      const std::uint64_t bits = seen & ((1U << kBits) - 1);
      const std::uint64_t behind = ((from + (std::uint64_t{1} << bits) - 1) >> bits) << bits;
      const std::uint64_t to = std::min({behind, from + most, end});
      if (from >= to || rest.left.compare_exchange_weak(seen, (to << kBits) | bits, std::memory_order_relaxed, std::memory_order_relaxed)) return {from, to};
    }
  }

  std::uint64_t threads_ = 0;  // 0: pieces straight from the front
  alignas(64) typename Machine::template Atomic<std::uint64_t> next_{0};  // in no block yet
  std::optional<std::array<Rest, kRests>> rests_;  // made when they are needed: most searches are short
};

}  // namespace furca::detail
