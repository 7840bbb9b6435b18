#include "text.hpp"
#include "../summary.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cmath>

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

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "SLOWER";
    case Verdict::tie: return "same";
    case Verdict::unknown: return "-";
  }
  return "";
}

}  // namespace

void print_changes(std::ostream& out, const Results& earlier, const Results& now) {
  const unsigned threads = std::min(most_threads(earlier), most_threads(now));
  out << format("\nthis run / the earlier one (%s, %s, %s)\n", earlier.setting.date.c_str(), earlier.setting.versions.front().c_str(),
                earlier.setting.processor.c_str());
  if (earlier.setting.processor != now.setting.processor || earlier.setting.compiler != now.setting.compiler)
    out << "Another processor or compiler: only the last column means something, and that not much.\n";
  out << format("%-20s %8s %8s %26s %32s\n", "", "serial", "oneTBB", format("furca, %u threads, 95 %%", threads).c_str(),
                "furca/serial");
  for (const Row& row : now.rows) {
    const Row* const before = find_row(earlier, row);
    if (before == nullptr) continue;
    const auto change = [&](const char* family, unsigned count) {
      return bootstrap_ratio(values(row.find(family, count)), values(before->find(family, count)));
    };
    const Interval furca = change(kOurs, threads);
    // The serial code is the same in both runs: it takes out what is the machine's and not furca's.
    const Interval relative = bootstrap_ratio(ratios(row.find(kOurs, threads), row.find("serial", 1)),
                                              ratios(before->find(kOurs, threads), before->find("serial", 1)));
    const double noise =
        std::max(noise_factor(control_interval(row, threads)), noise_factor(control_interval(*before, threads)));
    const Interval speed{1 / relative.high, 1 / relative.middle, 1 / relative.low};
    out << format("%-20s %8s %8s %8s %17s %8s %16s %s\n", row.label().c_str(), format_ratio(change("serial", 1).middle).c_str(),
                  format_ratio(change(kBaseline, threads).middle).c_str(), format_ratio(furca.middle).c_str(),
                  format_range(furca.low, furca.high).c_str(), format_ratio(relative.middle).c_str(),
                  format_range(relative.low, relative.high).c_str(), word(judge(speed, noise)));
  }
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
