#include "../summary.hpp"
#include "../targets.hpp"
#include "../wording.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>

namespace bench::terminal {
namespace {

std::string format_value(double value) {
  if (std::isnan(value)) return "no result";
  return format(value > 0 && value < 0.01 ? "%.1e" : "%.2f", value);  // a small excess over 0 must not look like 0
}

}  // namespace

void print_targets(std::ostream& out, const Results& results) {
  const std::vector<Judgement> all = judge_targets(results);
  if (all.empty()) return;
  const bool quiet = was_quiet(results.setting);
  out << "\nthe project's own targets (medians over the rounds)" << machine_mark(results.setting) << '\n';
  for (const Judgement& one : all) {
    const char* const verdict = !quiet ? name_of(Verdict::withheld) : one.reached() ? "ok" : "MISSED";
    out << format("  %-60s %9s  %8s %7g  %s\n", one.what.c_str(), format_value(one.value).c_str(),
                  one.bound == Judgement::Bound::at_most ? "at most" : "at least", one.limit, verdict);
  }
  const auto reached = std::count_if(all.begin(), all.end(), [](const Judgement& one) { return one.reached(); });
  out << (quiet ? format("%td of %zu targets reached\n", reached, all.size()) : wrap(withheld_notice(results.setting)));
}

}  // namespace bench::terminal
