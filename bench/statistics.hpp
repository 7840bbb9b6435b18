// Order statistics of a few samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace bench {

/// The value below which the share `q` of the samples lies, 0 <= q <= 1, between neighbours in proportion (Hyndman and Fan's
/// type 7, what R and NumPy take by default). A NaN stands for a sample that is missing; NaN if all are.
inline double quantile(std::vector<double> samples, double q) {
  std::erase_if(samples, [](double sample) { return std::isnan(sample); });
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  const double position = q * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return std::lerp(samples[below], samples[above], position - std::floor(position));
}

inline double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

/// What a table shows of a series: its middle, and where the middle half of it lies.
struct Summary {
  double median;
  double lower_quartile;
  double upper_quartile;
};

inline Summary summarise(const std::vector<double>& samples) {
  return {quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75)};
}

/// a[i] / b[i] for every round i in which neither is missing.
inline std::vector<double> paired_ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!std::isnan(a[i]) && !std::isnan(b[i])) ratios.push_back(a[i] / b[i]);
  }
  return ratios;
}

}  // namespace bench
