// The rate of the clock, for those who must not even call a function to know.
#pragma once

#include <atomic>

namespace furca::detail {

extern constinit std::atomic<float> clock_rate;

/// As ticks_per_microsecond(); 0 before that was first called.
inline float known_ticks_per_microsecond() noexcept {
  return clock_rate.load(std::memory_order_relaxed);
}

}  // namespace furca::detail
