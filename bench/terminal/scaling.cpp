// Over the numbers of threads: speed-ups, efficiency, and what bounds them.
#include "terminal.hpp"

#include "text.hpp"
#include "../bounds.hpp"
#include "../summary.hpp"
#include "../wording.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace bench::terminal {
namespace {

/// As many as a table of a hundred columns has room for: one thread, and the largest.
std::vector<unsigned> shown(std::vector<unsigned> counts) {
  constexpr std::size_t kMost = 9;
  if (counts.size() > kMost) counts.erase(counts.begin() + 1, counts.end() - static_cast<std::ptrdiff_t>(kMost - 1));
  return counts;
}

void print_speedups(std::ostream& out, const Results& results, const std::vector<unsigned>& counts) {
  out << "\nspeed-up over the serial code by number of threads" << machine_mark(results.setting) << '\n' << format("%-29s", "");
  for (const unsigned count : counts) out << format(" %6u", count);
  out << format(" %6s\n", ("/ " + std::to_string(counts.back())).c_str());
  std::vector<std::string> families = rivals(results);
  families.insert(families.begin(), kOurs);
  for (const Row& row : results.rows) {
    for (const std::string& family : families) {
      if (row.find(family, counts.back()) == nullptr) continue;
      out << format("%-21s %-7s", family == kOurs ? row.label().c_str() : "", family.c_str());
      for (const unsigned count : counts) out << format(" %6s", format_ratio(median(speedups(row, family, count))).c_str());
      out << format(" %6s\n", format_ratio(median(speedups(row, family, counts.back())) / counts.back()).c_str());
    }
  }
}

void print_borders(std::ostream& out, const Setting& setting) {
  for (const Border& border : setting.topology.borders) out << format("  at %3u: %s\n", border.threads, border.meaning.c_str());
}

int width_of(Loss loss) { return loss == Loss::processors || loss == Loss::scheduler ? 10 : 6; }

/// Heavy fences of a call are there even where the rest is not: a run without one thread.
void print_part(std::ostream& out, const Results& results, const Row& row, unsigned threads, bool first) {
  const auto parts = breakdown(results.setting, row, threads);
  const auto per_cent = [&](double share) { return parts ? format("%.0f", 100 * share) : std::string("-"); };
  out << format("%-21s %7u %7s", first ? row.label().c_str() : "", threads, per_cent(parts ? parts->useful : 0).c_str());
  for (const Loss loss : kLosses) out << format(" %*s", width_of(loss), per_cent(parts ? parts->of(loss) : 0).c_str());
  out << format("  %-10s %7s\n", bound_word(results.setting, row, threads).c_str(),
                format_ratio(typical(row.find(kOurs, threads), &Sample::heavy_fences)).c_str());
}

void print_bounds(std::ostream& out, const Results& results, const std::vector<unsigned>& counts) {
  out << "\nwhere the time of furca's threads goes, per cent of number x time" << machine_mark(results.setting) << '\n';
  out << format("%-21s %7s %7s", "", "threads", "useful");
  for (const Loss loss : kLosses) out << format(" %*s", width_of(loss), name_of(loss));
  out << format("  %-10s %7s\n", "most lost", "fences");
  for (const Row& row : results.rows) {
    for (const unsigned count : counts) {
      if (row.find(kOurs, count) != nullptr) print_part(out, results, row, count, count == counts.front());
    }
  }
  out << format("  %-10s %s\n", "useful", "what the serial code takes: the efficiency");
  for (const Loss loss : kLosses) out << format("  %-10s %s\n", name_of(loss), explanation_of(loss));
  out << format("  %-10s %s\n", "most lost", "the largest loss, unless 90 % are useful");
  out << format("  %-10s %s\n", "fences", "heavy ones (membarrier) for each call: each interrupts every thread that runs");
}

bool any_counts(const Results& results) {
  for (const Row& row : results.rows) {
    for (const Series& series : row.series) {
      if (!std::isnan(typical(&series, &Sample::busy_threads))) return true;
    }
  }
  return false;
}

}  // namespace

void print_scaling(std::ostream& out, const Results& results) {
  const std::vector<unsigned> counts = shown(thread_counts(results));
  if (counts.size() < kLeastForCurve) return;
  print_speedups(out, results, counts);
  print_borders(out, results.setting);
  if (any_counts(results)) print_bounds(out, results, counts);
}

}  // namespace bench::terminal
