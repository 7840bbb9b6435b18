#include "terminal.hpp"

#include "text.hpp"
#include "../summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bench::terminal {
namespace {

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "SLOWER";
    case Verdict::tie: return "tie";
    case Verdict::unknown: return "-";
  }
  return "";
}

constexpr Group kRowGroups[] = {Group::forks, Group::loops, Group::reductions};
constexpr Group kFigureGroups[] = {Group::behaviour, Group::micro, Group::instructions};

bool has(const std::vector<std::string>& families, const std::string& family) {
  return std::find(families.begin(), families.end(), family) != families.end();
}

double median_ratio(const Row& row, const std::string& family, unsigned threads, const std::string& to) {
  return median(ratios(row.find(family, threads), row.find(to, to == "serial" ? 1 : threads)));
}

// --- times ----------------------------------------------------------------------------------------------------------------

void print_time_row(std::ostream& out, const Row& row, const Results& results, unsigned threads) {
  const unsigned least = thread_counts(results).front();
  const Comparison against = compare(row, kBaseline, threads);
  const auto speedup = [&](const char* family) { return format_ratio(median(speedups(row, family, threads))); };
  const auto overhead = [&](const char* family) {
    return least == 1 ? format_ratio(median_ratio(row, family, 1, "serial")) : std::string("-");
  };
  out << format("%-20s %8s %6s %6s %6s %6s %7s %14s %5s %-6s %7s\n", row.label().c_str(),
                format_time(typical(row.find("serial", 1))).c_str(), overhead(kOurs).c_str(), overhead(kBaseline).c_str(),
                speedup(kOurs).c_str(), speedup(kBaseline).c_str(), format_ratio(against.ratio.middle).c_str(),
                std::isnan(against.ratio.low) ? "-" : format_range(against.ratio.low, against.ratio.high).c_str(),
                format_noise(against.noise).c_str(), word(against.verdict),
                format_ratio(median_ratio(row, "OpenMP", threads, kOurs)).c_str());
}

void print_times(std::ostream& out, const Results& results, unsigned threads) {
  out << format("\n%-20s %8s %13s %13s %36s %14s\n", "", "serial", "overhead,1 th", format("speed-up,%2u th", threads).c_str(),
                "oneTBB / furca, time, 95 % interval,", "OpenMP");
  out << format("%-20s %8s %6s %6s %6s %6s %7s %14s %5s %-6s %7s\n", "", "per call", "furca", "oneTBB", "furca", "oneTBB", "",
                "", "noise", "furca", "/ furca");
  for (const Group group : kRowGroups) {
    bool first = true;
    for (const Row& row : results.rows) {
      if (row.group != group) continue;
      if (first) out << name_of(group) << '\n';
      first = false;
      print_time_row(out, row, results, threads);
    }
  }
}

// --- what else they took --------------------------------------------------------------------------------------------------

double switches_per_ms(const Series* series) {
  std::vector<double> all;
  for (std::size_t i = 0; series != nullptr && i < series->samples.size(); ++i) {
    const Sample& one = series->samples[i];
    all.push_back((one.voluntary + one.involuntary) / (1e-6 * one.wall_ns * one.calls));
  }
  return median(all);
}

void print_costs(std::ostream& out, const Results& results, unsigned threads) {
  out << format("\n%-20s %26s %34s %16s\n", format("at %u threads", threads).c_str(), "processor time / serial",
                "peak memory, MiB", "switches per ms");
  out << format("%-20s %8s %8s %8s %8s %8s %8s %7s %8s %7s\n", "", "furca", "oneTBB", "OpenMP", "serial", "furca", "oneTBB",
                "OpenMP", "furca", "oneTBB");
  for (const Row& row : results.rows) {
    const Series* const serial = row.find("serial", 1);
    const auto processor_time = [&](const char* family) {
      return format_ratio(median(ratios(row.find(family, threads), serial, &Sample::cpu_ns)));
    };
    const auto memory = [&](const char* family, unsigned with) {
      const double kib = typical(row.find(family, with), &Sample::peak_kib);
      return std::isnan(kib) ? std::string("-") : format("%.1f", kib / 1024);
    };
    const auto switches = [&](const char* family) { return format_ratio(switches_per_ms(row.find(family, threads))); };
    out << format("%-20s %8s %8s %8s %8s %8s %8s %7s %8s %7s\n", row.label().c_str(), processor_time(kOurs).c_str(),
                  processor_time(kBaseline).c_str(), processor_time("OpenMP").c_str(), memory("serial", 1).c_str(),
                  memory(kOurs, threads).c_str(), memory(kBaseline, threads).c_str(), memory("OpenMP", threads).c_str(),
                  switches(kOurs).c_str(), switches(kBaseline).c_str());
  }
}

// --- figures --------------------------------------------------------------------------------------------------------------

/// Three digits: "2.76", "209", "26.5k".
std::string format_value(double value) {
  const double size = std::abs(value);
  if (size >= 9'995) return format("%.3gk", value / 1000);
  if (size >= 99.95 || value == 0) return format("%.0f", value);
  return format(size < 0.01 ? "%.0e" : size < 9.995 ? "%.2f" : "%.1f", value);
}

/// The median, and half of what lies between the least and the greatest value.
std::string describe(const Figure* figure) {
  if (figure == nullptr) return "-";
  const double middle = median(figure->values);
  if (std::isnan(middle)) return "no result";
  const double spread = (quantile(figure->values, 1) - quantile(figure->values, 0)) / 2;
  const std::string value = format_value(middle);
  return spread < 0.005 * middle || middle == 0 ? value : value + format(" +-%.0f %%", 100 * spread / middle);
}

/// One line of figures: one variant of furca, and the families that have none beside the first.
struct FigureLine {
  std::string name;
  std::string variant;
  std::string unit;
  std::map<std::string, const Figure*> found;
};

std::vector<FigureLine> figure_lines(const Results& results, Group group) {
  std::vector<FigureLine> lines;
  for (const Figure& figure : results.figures) {
    if (figure.group != group) continue;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const FigureLine& one) {
      return one.name == figure.name && one.unit == figure.unit && !one.found.contains(figure.family) &&
             (one.variant == figure.variant || one.variant.empty() || figure.variant.empty());
    });
    if (line == lines.end()) line = lines.insert(lines.end(), {figure.name, figure.variant, figure.unit, {}});
    if (line->variant.empty()) line->variant = figure.variant;
    line->found[figure.family] = &figure;
  }
  return lines;
}

void print_figures(std::ostream& out, const Results& results) {
  for (const Group group : kFigureGroups) {
    std::vector<FigureLine> lines = figure_lines(results, group);
    if (lines.empty()) continue;
    out << format("\n%-46s %-11s %13s %13s %13s\n", name_of(group), "", kOurs, kBaseline, "OpenMP");
    for (FigureLine& line : lines) {
      const Figure* const plain = line.found["serial"];
      const std::string label = line.name + (line.variant.empty() ? "" : ", " + line.variant) +
                                (plain == nullptr ? "" : " (serial " + describe(plain) + ")");
      const std::string unit = line.unit == name_of(group) ? "" : line.unit;
      out << format("%-46s %-11s %13s %13s %13s\n", label.c_str(), unit.c_str(), describe(line.found[kOurs]).c_str(),
                    describe(line.found[kBaseline]).c_str(), describe(line.found["OpenMP"]).c_str());
    }
  }
}

// --- the sum of it --------------------------------------------------------------------------------------------------------

void print_rows_with(std::ostream& out, const Results& results, const std::string& rival, unsigned threads, Verdict verdict,
                     const char* heading) {
  std::string line;
  for (const Row& row : results.rows) {
    if (row.find(rival, threads) == nullptr || compare(row, rival, threads).verdict != verdict) continue;
    const std::string one = row.label() + " (" + row.find(rival, threads)->contender + ")";
    line += (line.empty() ? "" : ", ") + one;
  }
  if (!line.empty()) out << heading << line << '\n';
}

void print_verdicts(std::ostream& out, const Results& results, unsigned threads) {
  const Interval control = control_mean(results, threads);
  if (!std::isnan(control.middle)) {
    const Row* const noisiest = noisiest_row(results, threads);
    out << format("\nA/A: furca / furca   %s (%s) on the whole; widest: %s, %s\n", format_ratio(control.middle).c_str(),
                  format_range(control.low, control.high).c_str(), noisiest->label().c_str(),
                  format_noise(noise_factor(control_interval(*noisiest, threads))).c_str());
    out << "A ratio within its row's noise, or whose interval holds 1, is a tie.\n";
  }
  for (const std::string& rival : rivals(results)) {
    const Tally all = tally(results, rival, threads);
    out << format("\n%s / furca at %u threads: furca is faster on %u rows, tie on %u, slower on %u; geometric mean %s (%s)\n",
                  rival.c_str(), threads, all.faster, all.tie, all.slower, format_ratio(all.mean.middle).c_str(),
                  format_range(all.mean.low, all.mean.high).c_str());
    for (const Group group : kRowGroups) {
      const Tally part = tally(results, rival, threads, group);
      if (part.rows() == 0) continue;
      out << format("  %-11s faster %2u, tie %2u, slower %2u; mean %s (%s)\n", name_of(group), part.faster, part.tie, part.slower,
                    format_ratio(part.mean.middle).c_str(), format_range(part.mean.low, part.mean.high).c_str());
    }
    print_rows_with(out, results, rival, threads, Verdict::slower, "  furca is SLOWER on: ");
    print_rows_with(out, results, rival, threads, Verdict::unknown, "  without a result: ");
  }
  if (!has(rivals(results), kBaseline)) out << "\noneTBB was not there when this was built: no comparison with it.\n";
  if (results.failures > 0) out << format("\nFAILED: %u runs; see above\n", results.failures);
}

}  // namespace

void print_heading(std::ostream& out, const Setting& setting) {
  std::string versions;
  for (const std::string& version : setting.versions) versions += (versions.empty() ? "" : ", ") + version;
  std::string threads;
  for (const unsigned count : setting.threads) threads += (threads.empty() ? "" : ", ") + std::to_string(count);
  out << format("versions  %s\n", versions.c_str());
  out << format("host      %s, %u processors, %u in the affinity mask, quota %s\n", setting.processor.c_str(), setting.processors,
                setting.affinity, setting.quota.c_str());
  out << format("kernel    %s\n", setting.kernel.c_str());
  out << format("compiler  %s; %s\n", setting.compiler.c_str(), setting.flags.c_str());
  out << format("run       %s, threads %s, --seed %llu\n", setting.effort.c_str(), threads.c_str(),
                static_cast<unsigned long long>(setting.seed));
}

void print_results(std::ostream& out, const Results& results) {
  const Setting& setting = results.setting;
  if (!results.rows.empty()) {
    const unsigned threads = most_threads(results);
    print_times(out, results, threads);
    print_costs(out, results, threads);
  }
  print_figures(out, results);
  if (!results.rows.empty()) print_verdicts(out, results, most_threads(results));
  const bool quiet = setting.others_percent + setting.stolen_percent < 5;
  out << format("\n%u rounds in %.0f s; load %s before, %s after; of the processors' time others used %.1f %%, the hypervisor %.1f %%%s\n",
                setting.rounds, setting.seconds, setting.load_before.c_str(), setting.load_after.c_str(), setting.others_percent,
                setting.stolen_percent, quiet ? "" : ": NOT A QUIET MACHINE");
}

}  // namespace bench::terminal
