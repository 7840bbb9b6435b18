// The parts of loops and reductions over chunks: their functions get the two ends of a stretch.
#pragma once

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/loop.hpp>
#include <furca/loop_options.hpp>
#include <furca/stop_token.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A step of a loop over chunks is a block of so many indices: then each chunk has that many at
/// least, and a multiple of them, with no word of the loop about it.
constexpr std::uint64_t unit_of_chunks(std::size_t grain) noexcept {
  return grain == automatic_grain ? 1 : grain;
}

/// Indices in a block of the aligned tree, where each is one call of a fold: what n and the grain
/// alone decide. A sixty-fourth of the loop, or 2,048 if that is less, or the grain; and a multiple
/// of that, when there would be too many blocks.
/// Longer than those of block_size, whose blocks are cheap however short: here each costs a call,
/// and a kernel that gets few indices at a time is a slow one.
constexpr std::uint64_t chunk_block_size(std::uint64_t n, std::uint64_t most_blocks,
                                         std::size_t grain) noexcept {
  constexpr std::uint64_t kFewBlocks = 64;
  constexpr std::uint64_t kFullBlock = 2048;
  const std::uint64_t fine =
      n <= kFewBlocks ? 1 : std::min(std::bit_ceil((n - 1) / kFewBlocks + 1), kFullBlock);
  const std::uint64_t unit = grain == automatic_grain ? fine : grain;
  const std::uint64_t units = n / unit;
  return units <= most_blocks ? unit : unit * ((units - 1) / most_blocks + 1);
}

/// Chunks have no result: all threads share one part.
template <class Index, class Body>
class ForChunksPart {
 public:
  ForChunksPart(IndexRange<Index> range, Blocks blocks, Body& body, Progress* progress) noexcept
      : range_(range), blocks_(blocks), body_(body), progress_(progress) {}

  /// One call of the user's body. Any number of threads at once.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    const std::uint64_t from = blocks_.at(lo);
    const std::uint64_t to = blocks_.at(hi);
    try {
      detail::invoke(body_, range_.at(from), range_.at(to));
    } catch (...) {
      end.lower_to(lo);
      throw;
    }
    add_steps(progress_, to - from);
  }

 private:
  IndexRange<Index> range_;
  Blocks blocks_;
  Body& body_;
  Progress* progress_;
};

/// A loop over chunks under the name of what it is a part of.
template <Literal name, class Index, class Body>
void run_chunks(const IndexRange<Index>& range, const Blocks& blocks, Body& body,
                const StopToken& stop, Progress* progress, const SourceLocation& where) {
  using Part = ForChunksPart<Index, Body>;
  Part part(range, blocks, body, progress);
  Loop(kFunctionsOf<Part, name>, blocks.count(), automatic_grain, stop, &where)
      .watched(progress != nullptr)
      .run(&part);
}

/// The same over indices from 0 on; each chunk begins at a multiple of `unit`.
template <Literal name, class Body>
void run_chunks(std::size_t n, std::size_t unit, Body& body, const SourceLocation& where) {
  detail::run_chunks<name>(IndexRange<std::size_t>(0, n), Blocks::last_longer(n, unit), body,
                           StopToken(), nullptr, where);
}

/// The common state of all parts of one reduction over chunks.
template <class Index, class T, class Fold, class Op>
struct ChunkReduction {
  using Value = T;
  using Inner = const ChunkReduction&;  // the user's function is the inner loop

  IndexRange<Index> range;
  const T& identity;
  Fold& fold;
  Op& op;
  Progress* progress;

  /// The steps of its loop: blocks in any case, so that the grain is in them already.
  static Blocks in_tree(std::uint64_t n, std::uint64_t most, std::size_t grain) noexcept {
    constexpr std::uint64_t kMostCalls = 4'096;
    return Blocks::last_longer(n, chunk_block_size(n, std::min(most, kMostCalls), grain));
  }
  static Blocks in_turn(std::uint64_t n, std::size_t grain) noexcept {
    return Blocks::last_longer(n, unit_of_chunks(grain));
  }
  static std::size_t steps_in_turn(std::size_t) noexcept { return automatic_grain; }

  /// In one: each costs a call.
  template <class Run>
  static void in_stretches(std::uint64_t lo, std::uint64_t hi, Run run) {
    run(lo, hi);
  }

  Inner inner() const noexcept { return *this; }

  /// Adds what the indices [lo, hi) of the range contribute, in one call. `at` is hi at the end,
  /// and stays as it is when something throws.
  void add(T& accumulator, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const {
    detail::invoke(fold, accumulator, range.at(lo), range.at(hi));
    at = hi;
  }
};

}  // namespace furca::detail
