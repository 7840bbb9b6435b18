// The cost of a step of a loop, as the calls before have shown it.
#pragma once

#include <furca/detail/base/config.hpp>

#include <algorithm>
#include <array>

namespace furca::detail {

/// The least that a step is taken to cost, in ticks: clocks are coarse, and even an empty body's
/// chunk is bounded.
inline constexpr float kLeastCost = 0.05F;

/// The cost of a step, in ticks; 0: never run. A hint, and one that errs on the expensive side:
/// taken for cheap, an expensive loop of few steps runs on one thread; taken for expensive, a cheap
/// one costs a microsecond too much.
class StepCost {
 public:
  float get() const noexcept { return cost_; }

  /// Whether its steps are known to cost about the same: not at first, nor after a call in which
  /// they did not, nor in the next ones if two calls in a row say so. One may have been interrupted
  /// by the system.
  bool even() const noexcept { return doubts_ == 0; }

  /// Besides: whether a call's steps were even.
  void judge(bool even) noexcept {
    const bool again = std::exchange(seems_uneven_, !even);
    if (!even) {
      doubts_ = again ? kDoubts : std::max(doubts_, std::uint8_t{1});
    } else if (doubts_ > 0) {
      --doubts_;
    }
  }

  /// Up at once (but for a step that the system interrupted, at most 64-fold), down by half a call
  /// at most.
  void learn(float seen) noexcept {
    if (times_ < kYoung) ++times_;
    if (cost_ <= 0) {
      cost_ = seen;
    } else if (seen > cost_ * 1.125F) {
      cost_ = seen < cost_ * 64 ? seen : cost_ * 64;
    } else if (seen < cost_ * 0.875F) {
      cost_ *= 2 * seen < cost_ ? 0.5F : 0.875F;
    }
  }

  /// Too few calls to be sure: the first ones of all also fetch code and data.
  bool young() const noexcept { return times_ < kYoung; }

 private:
  static constexpr std::uint8_t kYoung = 8;
  static constexpr std::uint8_t kDoubts = 8;

  float cost_ = 0;
  std::uint8_t times_ = 0;     // that it has learned something; no more than kYoung
  std::uint8_t doubts_ = 2;    // so many even calls, and its steps are taken to be even
  bool seems_uneven_ = false;  // by the last call
};

/// One worker's memory of the loop bodies that it has run: the last ones, each at each depth
/// of loops in loops. With the depth, because a body that recurs, as in a search of a tree, costs
/// seconds at the root and nanoseconds at the leaves.
class StepCosts {
 public:
  /// Which body, and how deep in other loops. Bodies are told apart by an object of 16 bytes or
  /// more that each type has. By Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4):
  /// no two keys are the same, and the upper bits are the place.
  static std::uint64_t key(const void* body, std::uint32_t depth) noexcept {
    return (reinterpret_cast<std::uintptr_t>(body) + (depth < kDepths ? depth : kDepths - 1)) *
           std::uint64_t{0x9E3779B97F4A7C15U};
  }

  /// Its cost; null: not known.
  StepCost* find(std::uint64_t key) noexcept {
    Entry& found = entry(key);
    return found.key == key ? &found.cost : nullptr;
  }

  /// From now on it is known; another one may be forgotten.
  StepCost& add(std::uint64_t key) noexcept {
    Entry& found = entry(key);
    if (found.key != key) found = {key, {}};
    return found.cost;
  }

 private:
  static constexpr std::uint32_t kDepths = 16;
  static constexpr unsigned kBits = 6;

  struct Entry {
    std::uint64_t key = 0;
    StepCost cost;
  };

  Entry& entry(std::uint64_t key) noexcept {
    return entries_[static_cast<std::size_t>(key >> (64U - kBits))];
  }

  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace furca::detail
