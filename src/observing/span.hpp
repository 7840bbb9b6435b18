// Work and span of what is observed: how large a speed-up it allows, and which line of the source
// keeps it from more.
#pragma once

#include <furca/detail/observing/observe.hpp>
#include <furca/detail/observing/path.hpp>

#include "decision.hpp"

namespace furca::detail {

/// Work that can only begin when everything in `call` up to now has ended; nothing if it is null.
Strand strand_after_all(ObservedCall* call) noexcept;

/// While this thread waits for something, or works for others meanwhile, the strand that it is in
/// stands still.
class PausedStrand {
 public:
  PausedStrand() noexcept : strand_(observing ? begin() : nullptr) {}
  ~PausedStrand() {
    if (strand_ != nullptr) [[unlikely]]
      end(*strand_);
  }
  PausedStrand(const PausedStrand&) = delete;
  PausedStrand& operator=(const PausedStrand&) = delete;

 private:
  static RunningStrand* begin() noexcept;
  static void end(RunningStrand& strand) noexcept;

  RunningStrand* const strand_;
};

/// Steps of a loop that another thread has stolen, as an event of its own; nothing at all if
/// `call` is null.
class StolenSteps {
 public:
  explicit StolenSteps(const ObservedCall* call) noexcept : call_(call) {
    if (call != nullptr) [[unlikely]]
      begin();
  }
  ~StolenSteps() {
    if (call_ != nullptr) [[unlikely]]
      end();
  }
  StolenSteps(const StolenSteps&) = delete;
  StolenSteps& operator=(const StolenSteps&) = delete;

 private:
  void begin() noexcept;
  void end() noexcept;

  const ObservedCall* const call_;
  std::uint64_t began_;
  Decision outer_;
};

/// Once, before anything is observed: what a reading of the clock takes is no work.
void calibrate_strands() noexcept;

}  // namespace furca::detail
