// What a loop's body cost in the calls before.
#pragma once

#include <furca/detail/base/config.hpp>
#include <furca/detail/base/relaxed.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace furca::detail {

/// The least that a step is taken to cost, in ticks: clocks are coarse, and even an empty body's
/// chunk is bounded.
inline constexpr float kLeastCost = 0.05F;

/// How a body's steps compare: not known, all about the same, or some of them many times as
/// expensive as others.
enum class Steps : std::uint8_t { unknown, even, uneven };

/// The cost of a step, in ticks; 0: never run. A hint, and one that errs on the expensive side:
/// taken for cheap, an expensive loop of few steps runs on one thread; taken for expensive, a cheap
/// one costs a microsecond too much.
class StepCost {
 public:
  float get() const noexcept { return cost_; }

  /// In a call of so many steps. If they are uneven, what the last ones of a call cost says nothing
  /// of the others, and what the call took in all is divided among them.
  float get(std::uint64_t steps) const noexcept {
    if (uneven_ != 0) [[unlikely]]
      return mean(steps);
    return cost_;
  }

  Steps steps() const noexcept {
    return uneven_ != 0 ? Steps::uneven : times_ < 2 || seems_ != 0 ? Steps::unknown : Steps::even;
  }

  /// Besides: a call has taken `total` ticks for so many steps, on all threads together, and
  /// `seen` for each of the last ones that its caller ran; 0: not known. Uneven only if two calls
  /// in a row say so, since one may have been interrupted by the system; what they took is halved
  /// by each call that does not.
  void compare(float seen, float total, std::uint64_t steps) noexcept {
    const float mean = total / static_cast<float>(steps);
    const bool uneven = total > 0 && seen > 0 && (mean > kUneven * seen || seen > kUneven * mean);
    const std::uint8_t before = std::exchange(seems_, uneven ? exponent(total) : std::uint8_t{0});
    const int halved = cost(uneven_) > kForgotten ? uneven_ - 1 : 0;
    uneven_ = std::max(static_cast<std::uint8_t>(halved), std::min(before, seems_));
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
  static constexpr float kUneven = 8;
  static constexpr float kForgotten = 1'024;  // ticks of a call: less is not worth sharing

  FURCA_COLD float mean(std::uint64_t steps) const noexcept {
    return std::max(cost(uneven_) / static_cast<float>(steps), kLeastCost);
  }

  static std::uint8_t exponent(float cost) noexcept {
    return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(cost) >> 23U);
  }
  static float cost(std::uint8_t exponent) noexcept {
    return std::bit_cast<float>(std::uint32_t{exponent} << 23U);
  }

  float cost_ = 0;
  std::uint8_t times_ = 0;   // that it has learned something; no more than kYoung
  std::uint8_t seems_ = 0;   // the last call, if it was uneven: its ticks' exponent
  std::uint8_t uneven_ = 0;  // the same for all that is known; 0: even
};

/// What all threads know of one loop body: where those begin that have not run it yet. One for each
/// body type: so one for each lambda in the source, but one for all function pointers of a kind.
/// Hardly ever written, since each worker remembers for itself (StepCosts): a word that all threads
/// write after each loop costs more than small loops do.
class BodyCost {
 public:
  float get() const noexcept { return ticks_.read(); }

  /// A worker has run the body for the first time, or has forgotten it.
  void tell(float seen) noexcept {
    const float known = get();
    if (known <= 0 || seen > 2 * known || 2 * seen < known) ticks_.write(seen);
  }

 private:
  Relaxed<float> ticks_{0};  // 0: never run
};

/// What one worker remembers of the loop bodies that it has run: the last ones, each at each depth
/// of loops in loops. With the depth, because a body that recurs, as in a search of a tree, costs
/// seconds at the root and nanoseconds at the leaves.
class StepCosts {
 public:
  /// Which body, and how deep in other loops; and so where in the table.
  class Key {
   public:
    Key() noexcept = default;

    /// Bodies are told apart by an object of 16 bytes or more that each type has. The place by
    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    Key(const void* body, std::uint32_t depth) noexcept
        : key_(reinterpret_cast<std::uintptr_t>(body) + (depth < kDepths ? depth : kDepths - 1)),
          place_(static_cast<std::size_t>(
              (static_cast<std::uint64_t>(key_) * 0x9E3779B97F4A7C15U) >> (64U - kBits))) {}

   private:
    friend class StepCosts;
    std::uintptr_t key_ = 0;
    std::size_t place_ = 0;
  };

  /// Its cost; null: not known.
  StepCost* find(Key key) noexcept {
    Entry& entry = entries_[key.place_];
    return entry.key == key.key_ ? &entry.cost : nullptr;
  }

  /// From now on it is known; another one may be forgotten.
  StepCost& add(Key key) noexcept {
    Entry& entry = entries_[key.place_];
    if (entry.key != key.key_) entry = {key.key_, {}};
    return entry.cost;
  }

 private:
  static constexpr std::uint32_t kDepths = 16;
  static constexpr unsigned kBits = 6;

  struct Entry {
    std::uintptr_t key = 0;
    StepCost cost;
  };

  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace furca::detail
