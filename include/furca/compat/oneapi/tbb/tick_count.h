// tbb::tick_count: the time that has passed.
#pragma once

#include "version.h"

#include <chrono>

namespace tbb {

/// A point in time, of a clock that only goes forward.
class tick_count {
 public:
  using clock_type = std::chrono::steady_clock;

  /// A time between two of them.
  class interval_t : public clock_type::duration {
   public:
    interval_t() : duration(duration::zero()) {}
    explicit interval_t(double seconds)
        : duration(std::chrono::duration_cast<duration>(std::chrono::duration<double>(seconds))) {}

    double seconds() const { return std::chrono::duration<double>(*this).count(); }

    friend interval_t operator+(const interval_t& a, const interval_t& b) {
      return interval_t(duration(a) + duration(b));
    }
    friend interval_t operator-(const interval_t& a, const interval_t& b) {
      return interval_t(duration(a) - duration(b));
    }

   private:
    friend class tick_count;
    explicit interval_t(duration value) : duration(value) {}
  };

  tick_count() = default;

  static tick_count now() { return tick_count(clock_type::now()); }

  /// Seconds in a tick of the clock.
  static double resolution() {
    return static_cast<double>(clock_type::period::num) /
           static_cast<double>(clock_type::period::den);
  }

  friend interval_t operator-(const tick_count& later, const tick_count& earlier) {
    return later.since(earlier);
  }

 private:
  interval_t since(const tick_count& earlier) const { return interval_t(at_ - earlier.at_); }

  explicit tick_count(clock_type::time_point at) : at_(at) {}

  clock_type::time_point at_;
};

}  // namespace tbb
