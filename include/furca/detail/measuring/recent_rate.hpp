// The rate of something, with more weight on what was lately.
#pragma once

#include <cstdint>

namespace furca::detail {

/// A mean over all of the time from 0 on, in which a moment counts as the cube of its time: the
/// last half for 15/16, the last quarter for two thirds.
///
/// So its window grows with the time: what is done now, or not done, moves it by four times its
/// share of all that was. It is never based on a few steps only, and moves less and less. (A window
/// of fixed length jumps when a step takes about as long as it; a plain mean takes too long to
/// notice that a machine has become busy.) It does not matter how often it is asked, as far as the
/// steps between two questions are done evenly.
class RecentRate {
 public:
  /// At that many seconds from the beginning `done` steps have been done. Steps a second.
  double sample(double seconds, std::uint64_t done) noexcept {
    if (seconds <= seconds_) return rate_;  // two questions in one tick of the clock
    const double square = seconds_ / seconds * (seconds_ / seconds);
    // the share of [0, seconds_] in the integral of t^3 over [0, seconds]
    const double kept = square * square;
    rate_ = kept * rate_ + (1 - kept) * static_cast<double>(done - done_) / (seconds - seconds_);
    seconds_ = seconds;
    done_ = done;
    return rate_;
  }

 private:
  double seconds_ = 0;  // of the last question
  std::uint64_t done_ = 0;
  double rate_ = 0;
};

}  // namespace furca::detail
