#include "verdict.hpp"

#include "../summary.hpp"
#include "../wording.hpp"
#include "format.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace bench {
namespace {

/// With spaces and hyphens at which no line ends.
std::string unbroken(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == ' ' ? "\u00A0" : c == '-' ? "\u2011" : std::string(1, c);
  return result;
}

std::string percent(double value) { return format_number(value) + "\u00A0%"; }

Check check_failures(const Results& results) {
  if (results.failures == 0) return {true, "Every run ended, with the result of the serial code."};
  return {false, format_count(results.failures, "run") + " died or gave another result than the serial code."};
}

Check check_rounds(const Results& results) {
  const RoundCounts counts = round_counts(results);
  const std::string found = format_count(results.setting.rounds, "round") + ".";
  if (counts.most == 0) return {true, found + " Bounds are 95\u00A0% intervals."};
  return {false, found + " Fewer than six make no interval: bounds " + bounds_sentence(results) +
                     ". A verdict then says only that these rounds agree."};
}

Check check_control(const Results& results, unsigned threads) {
  const Row* const noisiest = noisiest_row(results, threads);
  if (noisiest == nullptr)
    return {false, "furca was not measured against itself: the noise is unknown, so that no verdict is possible."};
  const double most = noise_factor(control_interval(*noisiest, threads));
  const double typical = typical_noise(results, threads);
  return {most < 1.1 && typical < 1.05, "A/A: furca measured against itself, which should give 1, strayed by " +
                                            format_noise(typical) + " in the row in the middle, and most on " +
                                            noisiest->label() + ", by " + format_noise(most) +
                                            ". A ratio inside its row's noise is no difference."};
}

Check check_machine(const Setting& setting) {
  const bool passed = setting.others_percent < 2 && setting.stolen_percent < 1;
  return {passed, "Other programs used " + percent(setting.others_percent) +
                      " of the processors meanwhile, and the hypervisor took " + percent(setting.stolen_percent) + "."};
}

Check check_processors(const Setting& setting, unsigned threads) {
  const bool limited = !setting.quota.empty() && setting.quota != "none";
  const std::string found = format_count(threads, "thread") + " at most on " + format_count(setting.affinity, "processor") +
                            (limited ? ", with a quota of " + setting.quota : "") + ".";
  if (threads > setting.affinity) return {false, found + " Threads had to take turns."};
  return {!limited, found};
}

}  // namespace

std::string caption(const Setting& setting) {
  std::vector<std::string> parts{setting.processor, setting.date.substr(0, 10)};  // of the time of day, nothing
  parts.insert(parts.end(), setting.versions.begin(), setting.versions.end());
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string verdict_sentence(const Results& results, const std::string& rival, unsigned threads) {
  const Tally found = tally(results, rival, threads);
  std::string text = "At " + format_count(threads, "thread") + ", furca is faster than " + rival + " on " +
                     std::to_string(found.faster) + " of " + format_count(found.rows(), "row") + ", slower on " +
                     std::to_string(found.slower) + ", tie on " + std::to_string(found.tie) + ", not known on " +
                     std::to_string(found.not_known);
  if (found.no_result > 0) text += ", no result on " + std::to_string(found.no_result);
  return text + ".";
}

std::string means_sentence(const Results& results, const std::string& rival, unsigned threads) {
  std::string text;
  for (const FamilyTally& one : tallies_by_family(results, rival, threads)) {
    text += (text.empty() ? "" : ", ") + unbroken(name_of(one.family)) + "\u00A0" + format_interval(one.mean);
  }
  return "Geometric means of " + rival + " time / furca time" + machine_mark(results.setting) + ": " + text + ".";
}

std::string serial_sentence(const Results& results, unsigned threads) {
  std::string text;
  for (const FamilySpeedup& one : speedups_by_family(results, threads)) {
    text += (text.empty() ? "" : ", ") + unbroken(name_of(one.family)) + "\u00A0" + format_interval(one.mean);
  }
  return "At " + format_count(threads, "thread") + ", furca is so many times as fast as the serial code, as geometric means" +
         machine_mark(results.setting) + ": " + text + ".";
}

std::string list_rows(const Results& results, const std::string& rival, Verdict verdict, std::size_t limit) {
  const unsigned threads = most_threads(results);
  std::vector<std::pair<double, std::string>> found;
  for (const Row& row : results.rows) {
    const Comparison comparison = compare(results.setting, row, rival, threads);
    if (row.find(rival, threads) == nullptr || comparison.verdict != verdict) continue;
    found.emplace_back(std::abs(std::log(comparison.ratio.middle)),
                       row.label() + " (" + format_number(comparison.ratio.middle) + ")");
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, found.size()); ++i) text += (i == 0 ? "" : ", ") + unbroken(found[i].second);
  if (found.size() > limit) text += " and " + std::to_string(found.size() - limit) + " more";
  return text;
}

std::vector<Check> checks(const Results& results) {
  const unsigned threads = most_threads(results);
  std::vector<Check> all{check_failures(results)};
  if (!results.rows.empty()) all.push_back(check_control(results, threads));
  all.push_back(check_rounds(results));
  all.push_back(check_machine(results.setting));
  all.push_back(check_processors(results.setting, threads));
  return all;
}

}  // namespace bench
