// The median of samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace bench {

/// Half way between the two in the middle, if their number is even; NaN if there are none.
inline double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 != 0) return *middle;
  return (*std::max_element(samples.begin(), middle) + *middle) / 2;
}

}  // namespace bench
