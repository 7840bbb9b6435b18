#include "summary.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// A/A is measured with one number of threads; it stands for the others too.
std::vector<double> control_ratios(const Row& row, unsigned threads) {
  const Series* control = row.find(kOurs, threads, true);
  for (const Series& one : row.series) {
    if (control == nullptr && one.control) control = &one;
  }
  return control == nullptr ? std::vector<double>{} : ratios(control, row.find(kOurs, control->threads));
}

void count(Tally& tally, Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      ++tally.faster;
      break;
    case Verdict::tie:
      ++tally.tie;
      break;
    case Verdict::slower:
      ++tally.slower;
      break;
    case Verdict::unknown:
      ++tally.unknown;
      break;
  }
}

}  // namespace

std::vector<std::string> rivals(const Results& results) {
  std::vector<std::string> families;
  for (const Row& row : results.rows) {
    for (const Series& series : row.series) {
      const std::string& family = series.family;
      if (family == kOurs || family == "serial") continue;
      if (std::find(families.begin(), families.end(), family) == families.end()) families.push_back(family);
    }
  }
  std::stable_partition(families.begin(), families.end(), [](const std::string& family) { return family == kBaseline; });
  return families;
}

std::vector<unsigned> thread_counts(const Results& results) {
  std::vector<unsigned> counts;
  for (const Row& row : results.rows) {
    for (const Series& series : row.series) {
      if (series.family == kOurs) counts.push_back(series.threads);
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

unsigned most_threads(const Results& results) {
  const std::vector<unsigned> counts = thread_counts(results);
  return counts.empty() ? 1 : counts.back();
}

std::vector<double> values(const Series* series, double Sample::*quantity) {
  std::vector<double> all;
  if (series == nullptr) return all;
  for (const Sample& sample : series->samples) all.push_back(sample.*quantity);
  return all;
}

double typical(const Series* series, double Sample::*quantity) { return median(values(series, quantity)); }

std::vector<double> ratios(const Series* a, const Series* b, double Sample::*quantity) {
  return paired_ratios(values(a, quantity), values(b, quantity));
}

std::vector<double> speedups(const Row& row, const std::string& family, unsigned threads) {
  return ratios(row.find("serial", 1), row.find(family, threads));
}

Comparison compare(const Row& row, const std::string& rival, unsigned threads) {
  const Interval ratio = bootstrap_median(ratios(row.find(rival, threads), row.find(kOurs, threads)));
  const double noise = noise_factor(control_interval(row, threads));
  return {ratio, noise, judge(ratio, noise)};
}

Interval control_interval(const Row& row, unsigned threads) { return bootstrap_median(control_ratios(row, threads)); }

Tally tally(const Results& results, const std::string& rival, unsigned threads, std::optional<Group> group) {
  Tally found;
  std::vector<std::vector<double>> sets;
  for (const Row& row : results.rows) {
    const Series* const series = row.find(rival, threads);
    if (series == nullptr || (group && row.group != *group)) continue;
    count(found, compare(row, rival, threads).verdict);
    sets.push_back(ratios(series, row.find(kOurs, threads)));
  }
  found.mean = bootstrap_geometric_mean(sets);
  return found;
}

Interval control_mean(const Results& results, unsigned threads) {
  std::vector<std::vector<double>> sets;
  for (const Row& row : results.rows) sets.push_back(control_ratios(row, threads));
  return bootstrap_geometric_mean(sets);
}

const Row* noisiest_row(const Results& results, unsigned threads) {
  const Row* worst = nullptr;
  double most = 0;
  for (const Row& row : results.rows) {
    const Interval control = control_interval(row, threads);
    if (std::isnan(control.middle)) continue;
    const double noise = std::max(control.high, 1 / control.low);
    if (worst == nullptr || noise > most) {
      worst = &row;
      most = noise;
    }
  }
  return worst;
}

}  // namespace bench
