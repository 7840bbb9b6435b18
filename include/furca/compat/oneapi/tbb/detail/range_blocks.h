// A blocked_range as the steps of one of furca's loops.
#pragma once

#include "../blocked_range.h"
#include "../partitioner.h"
#include "loop_call.h"

#include <furca/thread_pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tbb::detail {

/// Values 0 .. n-1 in blocks 0 .. count-1 that differ in length by one at most.
///
/// If they are divided to the grain, as many as that takes, and each is one call of a body. So none
/// is longer than the grain, and none shorter than half of it, as where oneTBB halves them.
/// If each thread is to have a part, no more than threads, each one call as well.
/// Otherwise a body gets a stretch of blocks, no more of them than kBlocksForEach for each thread:
/// a body that does something expensive before its first value (allocates, looks up a thread's
/// value) would else be thought expensive for each value, and get single ones for ever.
class RangeBlocks {
 public:
  RangeBlocks(std::size_t n, std::size_t grain, const Division& division) {
    const std::size_t least = grain <= 1 ? n : (n - 1) / grain + 1;
    const std::size_t for_each = division.for_each_thread() ? 1 : kBlocksForEach;
    count_ = division.to_the_grain() || least <= for_each
                 ? least
                 : std::min(least, furca::num_threads() * for_each);
    if (count_ < n) {
      length_ = n / count_;
      longer_ = n % count_;
    }
    one_by_one_ = division.to_the_grain() || division.for_each_thread();
  }

  std::uint64_t count() const noexcept { return count_; }

  /// The value that a block begins at; at(count()) is n.
  std::size_t at(std::uint64_t block) const noexcept {
    const auto before = static_cast<std::size_t>(block);
    return before * length_ + std::min(before, longer_);
  }

  /// Calls run(from, to) for the values of blocks [lo, hi), at least one: for all at once, or for
  /// each block until the call is cancelled.
  template <class Run>
  void in_stretches(const LoopCall& call, std::uint64_t lo, std::uint64_t hi, Run run) const {
    if (!one_by_one_) return run(at(lo), at(hi));
    do run(at(lo), at(lo + 1));
    while (++lo != hi && !call.cancelled());
  }

 private:
  static constexpr std::size_t kBlocksForEach = 256;

  std::size_t count_;
  std::size_t length_ = 1;  // of the shorter ones
  std::size_t longer_ = 0;  // so many have one value more
  bool one_by_one_;
};

/// A blocked_range that a loop runs over: which part of it a block is.
template <class Value>
class BlockedLoop {
 public:
  BlockedLoop(const blocked_range<Value>& range, const Division& division)
      : begin_(range.begin()),
        grain_(range.grainsize()),
        blocks_(range.size(), range.grainsize(), division) {}

  std::uint64_t steps() const noexcept { return blocks_.count(); }

  /// Calls body(range) for blocks [lo, hi), as a chunk of that call.
  template <class Body>
  void run(const LoopCall& call, std::uint64_t lo, std::uint64_t hi, Body& body) const {
    blocks_.in_stretches(call, lo, hi, [&](std::size_t from, std::size_t to) {
      blocked_range<Value> part(value_behind(begin_, from), value_behind(begin_, to), grain_);
      std::invoke(body, part);
    });
  }

 private:
  Value begin_;
  std::size_t grain_;
  RangeBlocks blocks_;
};

template <class R>
inline constexpr bool kBlocked = false;
template <class Value>
inline constexpr bool kBlocked<blocked_range<Value>> = true;

}  // namespace tbb::detail
