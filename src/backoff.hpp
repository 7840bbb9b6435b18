// How a thread with nothing to do passes the time before it sleeps: a few microseconds of spinning, then yields.
#pragma once

#include <furca/detail/atomics.hpp>

namespace furca::detail {

/// Rounds between two looks for work: short at first, because the next fork or the end of a short job is often that near,
/// then up to half a microsecond apart, because every look takes a cache line from a worker that is at work.
class Backoff {
 public:
  /// Time to sleep.
  bool exhausted() const noexcept { return round_ >= kSpins + kYields; }

  void pause() noexcept {
    if (round_ < kSpins) {
      for (int left = round_ < kLongest ? 1 + round_ : kLongest; left > 0; --left) Atomics::relax();
    } else {
      Atomics::yield();
    }
    if (!exhausted()) ++round_;
  }

  void reset() noexcept { round_ = 0; }

 private:
  static constexpr int kLongest = 16;
  static constexpr int kSpins = Atomics::kSpins;    // about 15 us in all: what falling asleep and being woken cost together
  static constexpr int kYields = Atomics::kYields;  // about 5 us; on a crowded machine a time slice for somebody else each

  int round_ = 0;
};

}  // namespace furca::detail
