#include "scale.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// `mantissas` times the powers of ten whose exponent is a multiple of `step`, from low to high.
std::vector<double> round_values(double low, double high, const std::vector<double>& mantissas, int step) {
  std::vector<double> values;
  const int first = static_cast<int>(std::floor(std::log10(low) / step)) * step;
  for (int exponent = first; std::pow(10.0, exponent) <= high; exponent += step) {
    for (const double mantissa : mantissas) {
      const double value = mantissa * std::pow(10.0, exponent);
      if (value >= low && value <= high) values.push_back(value);
    }
  }
  return values;
}

}  // namespace

void Range::include(double value) {
  if (!std::isfinite(value) || value <= 0) return;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
}

Range Range::padded() const {
  Range result = *this;
  const double pad = 1 + 0.04 * std::log(high_ / low_);
  result.low_ /= pad;
  result.high_ *= pad;
  return result;
}

LogScale::LogScale(const Range& range, double from, double to) : low_(range.low()), high_(range.high()), from_(from), to_(to) {}

double LogScale::operator()(double value) const {
  const double share = std::log(std::clamp(value, low_, high_) / low_) / std::log(high_ / low_);
  return std::lerp(from_, to_, share);
}

std::vector<double> LogScale::ticks(double spacing) const {
  const double per_decade = std::abs(to_ - from_) / std::log10(high_ / low_);
  // The closest neighbours of a decade's 1, 2, 5 are 1 and 2, and 5 and 10; of 1, 3 it is 1 and 3.
  if (per_decade * std::log10(2.0) >= spacing) return round_values(low_, high_, {1, 2, 5}, 1);
  if (per_decade * std::log10(3.0) >= spacing) return round_values(low_, high_, {1, 3}, 1);
  const int step = std::max(1, static_cast<int>(std::ceil(spacing / per_decade)));
  return round_values(low_, high_, {1}, step);
}

}  // namespace bench
