#include "terminal.hpp"

#include "text.hpp"
#include "../summary.hpp"
#include "../wording.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bench::terminal {
namespace {

constexpr Group kFigureGroups[] = {Group::behaviour, Group::micro, Group::instructions};

std::string word(Verdict verdict) { return verdict == Verdict::slower ? "SLOWER" : name_of(verdict); }

bool has(const std::vector<std::string>& families, const std::string& family) {
  return std::find(families.begin(), families.end(), family) != families.end();
}

double median_ratio(const Row& row, const std::string& family, unsigned threads, const std::string& to) {
  return median(ratios(row.find(family, threads), row.find(to, to == "serial" ? 1 : threads)));
}

// --- times ----------------------------------------------------------------------------------------------------------------

void print_time_row(std::ostream& out, const Row& row, const Results& results, unsigned threads) {
  const unsigned least = thread_counts(results).front();
  const Comparison against = compare(results.setting, row, kBaseline, threads);
  const auto speedup = [&](const char* family) { return format_ratio(median(speedups(row, family, threads))); };
  const auto overhead = [&](const char* family) {
    return least == 1 ? format_ratio(median_ratio(row, family, 1, "serial")) : std::string("-");
  };
  const std::string verdict = row.find(kBaseline, threads) == nullptr ? "-" : word(against.verdict);
  out << format("%-21s %7s %5s %6s %5s %6s %6s %14s %5s %-9s %6s\n", row.label().c_str(),
                format_time(typical(row.find("serial", 1))).c_str(), overhead(kOurs).c_str(), overhead(kBaseline).c_str(),
                speedup(kOurs).c_str(), speedup(kBaseline).c_str(), format_ratio(against.ratio.middle).c_str(),
                format_bounds(against.ratio).c_str(), format_noise(against.noise).c_str(), verdict.c_str(),
                format_ratio(median_ratio(row, "OpenMP", threads, kOurs)).c_str());
}

/// Family by family; what a workload is stands above its rows.
void print_times(std::ostream& out, const Results& results, unsigned threads) {
  out << format("\ntimes, %u threads", threads) << machine_mark(results.setting) << '\n';
  out << format("%-21s %7s %12s %12s %37s %6s\n", "", "serial", "1 th/serial", "speed-up", "oneTBB / furca, bounds, noise, furca",
                "OpenMP");
  out << format("%-21s %7s %5s %6s %5s %6s %6s %14s %5s %-9s %6s\n", "", "a call", "furca", "oneTBB", "furca", "oneTBB", "", "",
                "", "is", "/furca");
  for (const RowFamily family : kRowFamilies) {
    const Row* last = nullptr;
    for (const Row& row : results.rows) {
      if (family_of(row) != family) continue;
      if (last == nullptr) out << '\n' << name_of(family) << ": " << explanation_of(family) << '\n';
      if (last == nullptr || last->workload != row.workload) out << wrap(row.workload + ": " + row.summary, "  ", "    ");
      last = &row;
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
  out << format("\ncosts, %u threads", threads) << machine_mark(results.setting) << '\n';
  out << format("%-20s %26s %34s %16s\n", "", "processor time / serial", "peak memory, MiB", "switches per ms");
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
    const std::string heading = name_of(group) + machine_mark(results.setting);
    out << format("\n%-46s %-11s %13s %13s %13s\n", heading.c_str(), "", kOurs, kBaseline, "OpenMP");
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
    if (row.find(rival, threads) == nullptr || compare(results.setting, row, rival, threads).verdict != verdict) continue;
    const std::string one = row.label() + " (" + row.find(rival, threads)->contender + ")";
    line += (line.empty() ? "" : ", ") + one;
  }
  if (!line.empty()) out << wrap(heading + line, "  ", "    ");
}

void print_noise(std::ostream& out, const Results& results, unsigned threads) {
  const Row* const noisiest = noisiest_row(results, threads);
  if (noisiest == nullptr) return;
  out << format("\nA/A, furca / furca: noise of %s in the middle row; widest: %s, %s\n",
                format_noise(typical_noise(results, threads)).c_str(), noisiest->label().c_str(),
                format_noise(noise_factor(control_interval(*noisiest, threads))).c_str());
}

std::string counts(const Tally& tally) {
  if (tally.withheld > 0) return format("verdicts withheld on %u", tally.withheld);
  const std::string missing = tally.no_result > 0 ? format(", no result %u", tally.no_result) : "";
  return format("faster %2u, slower %2u, tie %2u, not known %2u", tally.faster, tally.slower, tally.tie, tally.not_known) + missing;
}

/// For a machine that has no other library.
void print_serial(std::ostream& out, const Results& results, unsigned threads) {
  out << "\noneTBB was not there when this was built: no comparison with it.\n";
  if (!rivals(results).empty()) return;
  out << format("serial / furca at %u threads%s, geometric means:\n", threads, machine_mark(results.setting).c_str());
  for (const FamilySpeedup& part : speedups_by_family(results, threads))
    out << format("  %-18s %6s %s\n", name_of(part.family), format_ratio(part.mean.middle).c_str(), format_bounds(part.mean).c_str());
}

void print_verdicts(std::ostream& out, const Results& results, unsigned threads) {
  print_noise(out, results, threads);
  if (!was_quiet(results.setting)) out << '\n' << wrap(withheld_notice(results.setting));
  if (!rivals(results).empty()) {
    if (was_quiet(results.setting)) {
      for (const Rule& rule : kVerdictRules) out << format("  %-15s %s\n", rule.verdict, rule.meaning);
    }
    out << format("  %-15s %s\n", "bounds", bounds_sentence(results).c_str());
  }
  for (const std::string& rival : rivals(results)) {
    const Tally all = tally(results, rival, threads);
    out << format("\nfurca beside %s at %u threads%s, %u rows: %s\n", rival.c_str(), threads,
                  machine_mark(results.setting).c_str(), all.rows(), counts(all).c_str());
    out << format("%s / furca, geometric means:\n", rival.c_str());
    for (const FamilyTally& part : tallies_by_family(results, rival, threads)) {
      out << format("  %-18s %6s %-18s %s\n", name_of(part.family), format_ratio(part.mean.middle).c_str(),
                    format_bounds(part.mean).c_str(), counts(part.tally).c_str());
    }
    print_rows_with(out, results, rival, threads, Verdict::slower, "furca is SLOWER on: ");
    print_rows_with(out, results, rival, threads, Verdict::no_result, "without a result: ");
  }
  if (!has(rivals(results), kBaseline)) print_serial(out, results, threads);
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

void print_tables(std::ostream& out, const Results& results) {
  if (!was_quiet(results.setting)) out << '\n' << wrap(withheld_notice(results.setting));
  if (!results.rows.empty()) {
    const unsigned threads = most_threads(results);
    print_times(out, results, threads);
    print_scaling(out, results);
    print_costs(out, results, threads);
  }
  print_figures(out, results);
}

void print_summary(std::ostream& out, const Results& results) {
  const Setting& setting = results.setting;
  if (!results.rows.empty()) print_verdicts(out, results, most_threads(results));
  out << '\n'
      << wrap(format("%u rounds in %.0f s; load %s before, %s after; %s", setting.rounds, setting.seconds,
                     setting.load_before.c_str(), setting.load_after.c_str(), disturbance_sentence(setting).c_str()));
}

}  // namespace bench::terminal
