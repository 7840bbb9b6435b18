// Logarithmic axes: a factor is as long everywhere, so that twice as fast and half as fast lie as far from parity.
#pragma once

#include <vector>

namespace bench {

/// What an axis must show: grows with every value. Ignores what has no logarithm.
class Range {
 public:
  void include(double value);
  /// A little more than the values.
  Range padded() const;

  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 1e300;
  double high_ = -1;
};

class LogScale {
 public:
  /// range.low() is drawn at `from`, range.high() at `to`.
  LogScale(const Range& range, double from, double to);

  /// Where the value is drawn: at the nearer end if it is outside.
  double operator()(double value) const;

  /// Round values of the range, at least that many pixels apart.
  std::vector<double> ticks(double spacing) const;

 private:
  double low_;
  double high_;
  double from_;
  double to_;
};

}  // namespace bench
