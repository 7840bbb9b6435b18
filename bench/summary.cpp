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
    case Verdict::faster: ++tally.faster; break;
    case Verdict::slower: ++tally.slower; break;
    case Verdict::tie: ++tally.tie; break;
    case Verdict::not_known: ++tally.not_known; break;
    case Verdict::withheld: ++tally.withheld; break;
    case Verdict::no_result: ++tally.no_result; break;
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
  const auto baseline = std::find(families.begin(), families.end(), kBaseline);
  if (baseline != families.end()) std::rotate(families.begin(), baseline, baseline + 1);
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

double disturbance(const Setting& setting) { return setting.others_percent + setting.stolen_percent; }

bool was_quiet(const Setting& setting) {
  constexpr double kMostPercent = 5;
  return disturbance(setting) <= kMostPercent;
}

Comparison compare(const Setting& setting, const Row& row, const std::string& rival, unsigned threads) {
  const Interval ratio = estimate_median(ratios(row.find(rival, threads), row.find(kOurs, threads)));
  const double noise = noise_factor(control_interval(row, threads));
  const Verdict verdict = judge(ratio, noise);
  const bool withheld = verdict != Verdict::no_result && !was_quiet(setting);
  return {ratio, noise, withheld ? Verdict::withheld : verdict};
}

Interval control_interval(const Row& row, unsigned threads) { return estimate_median(control_ratios(row, threads)); }

Tally tally(const Results& results, const std::string& rival, unsigned threads) {
  Tally all;
  for (const Row& row : results.rows) {
    if (row.find(rival, threads) != nullptr) count(all, compare(results.setting, row, rival, threads).verdict);
  }
  return all;
}

std::vector<FamilyTally> tallies_by_family(const Results& results, const std::string& rival, unsigned threads) {
  std::vector<FamilyTally> families;
  for (const RowFamily family : kRowFamilies) {
    Tally found;
    std::vector<std::vector<double>> sets;
    for (const Row& row : results.rows) {
      const Series* const series = row.find(rival, threads);
      if (series == nullptr || family_of(row) != family) continue;
      count(found, compare(results.setting, row, rival, threads).verdict);
      sets.push_back(ratios(series, row.find(kOurs, threads)));
    }
    if (found.rows() > 0) families.push_back({family, found, estimate_geometric_mean(sets)});
  }
  return families;
}

std::vector<FamilySpeedup> speedups_by_family(const Results& results, unsigned threads) {
  std::vector<FamilySpeedup> families;
  for (const RowFamily family : kRowFamilies) {
    std::vector<std::vector<double>> sets;
    for (const Row& row : results.rows) {
      if (family_of(row) == family) sets.push_back(speedups(row, kOurs, threads));
    }
    if (!sets.empty()) families.push_back({family, estimate_geometric_mean(sets)});
  }
  return families;
}

double typical_noise(const Results& results, unsigned threads) {
  std::vector<double> all;
  for (const Row& row : results.rows) {
    const Interval control = control_interval(row, threads);
    if (!std::isnan(control.middle)) all.push_back(noise_factor(control));
  }
  return median(all);
}

const Row* noisiest_row(const Results& results, unsigned threads) {
  const Row* worst = nullptr;
  double most = 0;
  for (const Row& row : results.rows) {
    const Interval control = control_interval(row, threads);
    if (std::isnan(control.middle)) continue;
    const double noise = noise_factor(control);
    if (worst == nullptr || noise > most) {
      worst = &row;
      most = noise;
    }
  }
  return worst;
}

RoundCounts round_counts(const Results& results) {
  RoundCounts found;
  const auto note = [&](const std::vector<double>& all) {
    if (all.empty()) return;
    const auto rounds = static_cast<unsigned>(all.size());
    if (rounds >= kLeastForInterval) {
      found.intervals = true;
      return;
    }
    found.fewest = found.fewest == 0 ? rounds : std::min(found.fewest, rounds);
    found.most = std::max(found.most, rounds);
  };
  for (const Row& row : results.rows) {
    for (const Series& series : row.series) {
      if (series.family != "serial") note(ratios(&series, row.find("serial", 1)));
    }
  }
  return found;
}

}  // namespace bench
