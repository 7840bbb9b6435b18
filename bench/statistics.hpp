// What is made of samples: medians, intervals, and when a difference counts.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

/// The value below which the share `q` of the samples lies, 0 <= q <= 1, between neighbours in proportion (Hyndman and Fan's
/// type 7, what R and NumPy take by default). A NaN stands for a sample that is missing; NaN if all are.
double quantile(std::vector<double> samples, double q);

double median(std::vector<double> samples);

/// a[i] / b[i] for every round i in which neither is missing.
std::vector<double> paired_ratios(const std::vector<double>& a, const std::vector<double>& b);

/// Of fewer samples no interval is made: the median lies outside all of five samples with a probability of 6 %.
inline constexpr std::size_t kLeastForInterval = 6;

/// An estimate, and bounds: between them the true value lies with 95 % confidence, or, of few samples, they are a range.
struct Interval {
  double low;
  double middle;
  double high;
  unsigned range_of = 0;  // not 0: so few samples that the bounds are the least and the greatest of them

  bool contains(double value) const { return low <= value && value <= high; }
};

/// The median of the samples; its bounds by the percentile bootstrap (Efron, 1979): the 2.5 % and 97.5 % quantiles of the medians
/// of 2,000 resamples. The same for the same samples. Of fewer than kLeastForInterval samples the range. NaNs are left out; of
/// none, all three are NaN.
Interval estimate_median(const std::vector<double>& samples);

/// The geometric mean of several medians, with its bounds: every resample draws each set of samples anew. If any set is too small
/// for that, the bounds are the means of all sets' least and greatest samples.
Interval estimate_geometric_mean(const std::vector<std::vector<double>>& sets);

/// The ratio of two medians whose samples have nothing to do with each other, as those of two runs: both are drawn anew.
Interval estimate_ratio(const std::vector<double>& above, const std::vector<double>& below);

/// How far from 1 a ratio may be and still be noise: what the A/A ratio's interval reaches, and 2 % at least. As a factor, >= 1.02.
/// Unknown (NaN) bounds are infinite noise.
double noise_factor(const Interval& control);

/// Ratios from 1 / kTieFactor to kTieFactor are as good as 1: the layout of the code alone makes as much.
inline constexpr double kTieFactor = 1.05;

enum class Verdict { faster, slower, tie, not_known, withheld, no_result };

/// Of a ratio rival / furca: `faster` (furca is) if its interval lies above 1 and its middle above the noise; `slower` likewise
/// below; `tie` if the whole interval is as good as 1; otherwise `not_known`, and without a finite noise, too. `no_result` if there
/// is no ratio. Never `withheld`.
Verdict judge(const Interval& ratio, double noise);

}  // namespace bench
