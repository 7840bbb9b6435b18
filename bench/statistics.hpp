// What is made of samples: medians, intervals, and when a difference counts.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// The value below which the share `q` of the samples lies, 0 <= q <= 1, between neighbours in proportion (Hyndman and Fan's
/// type 7, what R and NumPy take by default). A NaN stands for a sample that is missing; NaN if all are.
double quantile(std::vector<double> samples, double q);

double median(std::vector<double> samples);

/// a[i] / b[i] for every round i in which neither is missing.
std::vector<double> paired_ratios(const std::vector<double>& a, const std::vector<double>& b);

/// An estimate, and bounds between which the true value lies with 95 % confidence.
struct Interval {
  double low;
  double middle;
  double high;

  bool contains(double value) const { return low <= value && value <= high; }
};

/// The median of the samples; its bounds by the percentile bootstrap (Efron, 1979): the 2.5 % and 97.5 % quantiles of the medians
/// of 2,000 resamples. The same for the same samples. NaNs are left out; of none, all three are NaN.
Interval bootstrap_median(const std::vector<double>& samples);

/// The geometric mean of several medians, with its bounds: every resample draws each set of samples anew.
Interval bootstrap_geometric_mean(const std::vector<std::vector<double>>& sets);

/// The ratio of two medians whose samples have nothing to do with each other, as those of two runs: both are drawn anew.
Interval bootstrap_ratio(const std::vector<double>& above, const std::vector<double>& below);

/// How far from 1 a ratio may be and still be noise: what the A/A ratio's interval reaches, and 2 % at least. As a factor, >= 1.02.
/// Unknown (NaN) bounds are infinite noise.
double noise_factor(const Interval& control);

enum class Verdict { tie, faster, slower, unknown };

/// Of a ratio rival / furca: `faster` (furca is) if its interval lies above 1 and its middle above the noise; `slower` likewise
/// below; otherwise a tie. `unknown` if there is no ratio.
Verdict judge(const Interval& ratio, double noise);

}  // namespace bench
