#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>

namespace bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kResamples = 2'000;

void drop_missing(std::vector<double>& samples) {
  std::erase_if(samples, [](double sample) { return std::isnan(sample); });
}

/// As many samples as there are, each drawn from all of them.
void resample(const std::vector<double>& samples, std::mt19937_64& random, std::vector<double>& drawn) {
  drawn.clear();
  // Not std::uniform_int_distribution, which is another on every standard library; the bias of % is of the order of 1e-17.
  for (std::size_t i = 0; i < samples.size(); ++i) drawn.push_back(samples[random() % samples.size()]);
}

Interval bounds_of(double middle, const std::vector<double>& resampled) {
  return {quantile(resampled, 0.025), middle, quantile(resampled, 0.975)};
}

double least(const std::vector<double>& samples) { return *std::min_element(samples.begin(), samples.end()); }
double greatest(const std::vector<double>& samples) { return *std::max_element(samples.begin(), samples.end()); }

unsigned count_of(const std::vector<double>& samples) { return static_cast<unsigned>(samples.size()); }

}  // namespace

double quantile(std::vector<double> samples, double q) {
  drop_missing(samples);
  if (samples.empty()) return kNone;
  const double position = q * static_cast<double>(samples.size() - 1);
  const auto below = samples.begin() + static_cast<std::ptrdiff_t>(position);
  std::nth_element(samples.begin(), below, samples.end());
  const double next = below + 1 == samples.end() ? *below : *std::min_element(below + 1, samples.end());
  return std::lerp(*below, next, position - std::floor(position));
}

double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

std::vector<double> paired_ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!std::isnan(a[i]) && !std::isnan(b[i])) ratios.push_back(a[i] / b[i]);
  }
  return ratios;
}

Interval estimate_median(const std::vector<double>& samples) {
  std::vector<double> known = samples;
  drop_missing(known);
  if (known.empty()) return {kNone, kNone, kNone};
  if (known.size() < kLeastForInterval) return {least(known), median(known), greatest(known), count_of(known)};
  std::mt19937_64 random(1);
  std::vector<double> medians;
  std::vector<double> drawn;
  for (int i = 0; i < kResamples; ++i) {
    resample(known, random, drawn);
    medians.push_back(median(drawn));
  }
  return bounds_of(median(known), medians);
}

Interval estimate_geometric_mean(const std::vector<std::vector<double>>& sets) {
  std::vector<std::vector<double>> known;
  for (std::vector<double> samples : sets) {
    drop_missing(samples);
    if (!samples.empty()) known.push_back(std::move(samples));
  }
  if (known.empty()) return {kNone, kNone, kNone};
  const auto count = static_cast<double>(known.size());
  const auto mean_of = [&](auto value) {
    double sum = 0;
    for (const std::vector<double>& samples : known) sum += std::log(value(samples));
    return std::exp(sum / count);
  };
  const double middle = mean_of([](const auto& samples) { return median(samples); });
  const auto fewest =
      std::min_element(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (fewest->size() < kLeastForInterval) return {mean_of(least), middle, mean_of(greatest), count_of(*fewest)};
  std::mt19937_64 random(1);
  std::vector<double> means;
  std::vector<double> drawn;
  for (int i = 0; i < kResamples; ++i) {
    double sum = 0;
    for (const std::vector<double>& samples : known) {
      resample(samples, random, drawn);
      sum += std::log(median(drawn));
    }
    means.push_back(std::exp(sum / count));
  }
  return bounds_of(middle, means);
}

Interval estimate_ratio(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> known_above = above;
  std::vector<double> known_below = below;
  drop_missing(known_above);
  drop_missing(known_below);
  if (known_above.empty() || known_below.empty()) return {kNone, kNone, kNone};
  const double middle = median(known_above) / median(known_below);
  const std::vector<double>& fewer = known_above.size() < known_below.size() ? known_above : known_below;
  if (fewer.size() < kLeastForInterval)
    return {least(known_above) / greatest(known_below), middle, greatest(known_above) / least(known_below), count_of(fewer)};
  std::mt19937_64 random(1);
  std::vector<double> resampled;
  std::vector<double> drawn;
  for (int i = 0; i < kResamples; ++i) {
    resample(known_above, random, drawn);
    const double numerator = median(drawn);
    resample(known_below, random, drawn);
    resampled.push_back(numerator / median(drawn));
  }
  return bounds_of(middle, resampled);
}

double noise_factor(const Interval& control) {
  constexpr double kLeast = 1.02;
  if (std::isnan(control.low) || std::isnan(control.high)) return std::numeric_limits<double>::infinity();
  return std::max({kLeast, control.high, 1 / control.low});
}

Verdict judge(const Interval& ratio, double noise) {
  if (std::isnan(ratio.middle)) return Verdict::no_result;
  if (ratio.low > 1 && ratio.middle > noise) return Verdict::faster;
  if (ratio.high < 1 && ratio.middle < 1 / noise) return Verdict::slower;
  if (std::isfinite(noise) && ratio.low >= 1 / kTieFactor && ratio.high <= kTieFactor) return Verdict::tie;
  return Verdict::not_known;
}

}  // namespace bench
