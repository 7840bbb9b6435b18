// The backoff of a thread with nothing to do, before it sleeps: a few microseconds of spinning,
// then yields.
#pragma once

#include <furca/detail/base/processor.hpp>

#include <algorithm>

namespace furca::detail {

/// Rounds between two looks for work: short at first, because the next fork or the end of a short
/// job is often that near, then up to half a microsecond apart, because every look takes a cache
/// line from a worker that is at work.
class Backoff {
 public:
  /// So many rounds in which a thread spins, and in which it lets others have its processor: on a
  /// crowded machine a time slice each.
  Backoff(int spins, int yields) noexcept : spins_(spins), rounds_(spins + yields) {}

  /// So many looks: four of five with pauses between them, the others with yields.
  static Backoff of(std::size_t looks) noexcept {
    const std::size_t yields = looks / 5;
    return {static_cast<int>(looks - yields), static_cast<int>(yields)};
  }

  int spinning_rounds() const noexcept { return spins_; }
  int yielding_rounds() const noexcept { return rounds_ - spins_; }

  /// Time to sleep.
  bool exhausted() const noexcept { return round_ >= rounds_; }

  /// It has not paused yet.
  bool is_new() const noexcept { return round_ == 0; }

  /// It has looked a few times only.
  bool begins() const noexcept { return round_ < kBeginning; }

  /// It does not let others have its processor yet.
  bool spins() const noexcept { return round_ < spins_; }

  void pause() noexcept {
    if (spins()) {
      for (int left = round_ < kLongest ? 1 + round_ : kLongest; left > 0; --left) Atomics::relax();
    } else {
      Atomics::yield();
    }
    if (!exhausted()) ++round_;
  }

  /// The number of rounds of spinning that have so many pauses.
  static int rounds_of(float pauses) noexcept {
    constexpr int kRising = kLongest * (kLongest + 1) / 2;
    if (pauses >= kRising)
      return kLongest + static_cast<int>((std::min(pauses, 1e6F) - kRising) / kLongest);
    int rounds = 0;
    for (float left = pauses; rounds < kLongest && left > static_cast<float>(rounds); ++rounds)
      left -= static_cast<float>(rounds + 1);
    return rounds;
  }

  void reset() noexcept { round_ = 0; }

 private:
  static constexpr int kLongest = 16;
  static constexpr int kBeginning = 32;  // rounds

  const int spins_;
  const int rounds_;
  int round_ = 0;
};

}  // namespace furca::detail
