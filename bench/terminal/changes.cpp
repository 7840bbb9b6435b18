#include "text.hpp"
#include "../summary.hpp"
#include "../wording.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace bench::terminal {
namespace {

const Row* find_row(const Results& results, const Row& like) {
  for (const Row& row : results.rows) {
    if (row.label() == like.label()) return &row;
  }
  return nullptr;
}

const Figure* find_figure(const Results& results, const Figure& like) {
  for (const Figure& one : results.figures) {
    if (one.name == like.name && one.family == like.family && one.variant == like.variant && one.unit == like.unit) return &one;
  }
  return nullptr;
}

/// Of one row: this run's times / the earlier one's.
struct Change {
  Interval furca;
  Interval relative;  // of furca / serial: what is the machine's and not furca's is out of it
  Verdict verdict;
};

Change change_of(const Results& earlier, const Row& before, const Results& now, const Row& row, unsigned threads) {
  const Interval furca = estimate_ratio(values(row.find(kOurs, threads)), values(before.find(kOurs, threads)));
  const Interval relative = estimate_ratio(ratios(row.find(kOurs, threads), row.find("serial", 1)),
                                           ratios(before.find(kOurs, threads), before.find("serial", 1)));
  const double noise = std::max(noise_factor(control_interval(row, threads)), noise_factor(control_interval(before, threads)));
  const Verdict verdict = judge({1 / relative.high, 1 / relative.middle, 1 / relative.low, relative.range_of}, noise);
  const bool withheld = verdict != Verdict::no_result && !(was_quiet(earlier.setting) && was_quiet(now.setting));
  return {furca, relative, withheld ? Verdict::withheld : verdict};
}

const char* word(Verdict verdict) {
  if (verdict == Verdict::slower) return "SLOWER";
  return verdict == Verdict::tie ? "same" : name_of(verdict);
}

/// The geometric mean of furca / serial, now / then, of each family.
void print_family_changes(std::ostream& out, const std::vector<std::pair<RowFamily, double>>& changes) {
  for (const RowFamily family : kRowFamilies) {
    double logarithms = 0;
    unsigned rows = 0;
    for (const auto& [one, change] : changes) {
      if (one != family || std::isnan(change)) continue;
      logarithms += std::log(change);
      ++rows;
    }
    if (rows == 0) continue;
    out << format("  %-18s %6s over %u %s\n", name_of(family), format_ratio(std::exp(logarithms / rows)).c_str(), rows,
                  rows == 1 ? "row" : "rows");
  }
}

}  // namespace

void print_changes(std::ostream& out, const Results& earlier, const Results& now) {
  const unsigned threads = std::min(most_threads(earlier), most_threads(now));
  out << format("\nthis run / the earlier one (%s, %s, %s)\n", earlier.setting.date.c_str(), earlier.setting.versions.front().c_str(),
                earlier.setting.processor.c_str());
  if (earlier.setting.processor != now.setting.processor || earlier.setting.compiler != now.setting.compiler)
    out << "Another processor or compiler: only the last column means something, and that not much.\n";
  for (const Setting& setting : {earlier.setting, now.setting}) {
    if (!was_quiet(setting)) out << wrap("Run of " + setting.date + ": " + withheld_notice(setting));
  }
  out << format("%-21s %7s %8s %25s %25s\n", "", "serial", "oneTBB", format("furca, %u threads", threads).c_str(), "furca/serial");
  std::vector<std::pair<RowFamily, double>> changes;
  for (const Row& row : now.rows) {
    const Row* const before = find_row(earlier, row);
    if (before == nullptr) continue;
    const auto plain = [&](const char* family, unsigned count) {
      return format_ratio(estimate_ratio(values(row.find(family, count)), values(before->find(family, count))).middle);
    };
    const Change change = change_of(earlier, *before, now, row, threads);
    out << format("%-21s %7s %8s %8s %16s %8s %16s %s\n", row.label().c_str(), plain("serial", 1).c_str(),
                  plain(kBaseline, threads).c_str(), format_ratio(change.furca.middle).c_str(),
                  format_bounds(change.furca).c_str(), format_ratio(change.relative.middle).c_str(),
                  format_bounds(change.relative).c_str(), word(change.verdict));
    changes.emplace_back(family_of(row), change.relative.middle);
  }
  if (!changes.empty()) out << "furca/serial, this run / the earlier one, geometric mean by family\n";
  print_family_changes(out, changes);
  bool first = true;
  for (const Figure& figure : now.figures) {
    const Figure* const before = find_figure(earlier, figure);
    if (before == nullptr || figure.family != kOurs) continue;
    if (first) out << "figures, earlier and now\n";
    first = false;
    out << format("  %-58s %12.4g %12.4g\n", (figure.name + (figure.variant.empty() ? "" : ", " + figure.variant) + ", " + figure.unit).c_str(),
                  median(before->values), median(figure.values));
  }
}

}  // namespace bench::terminal
