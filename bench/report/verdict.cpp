#include "verdict.hpp"

#include "../summary.hpp"
#include "format.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bench {
namespace {

/// With spaces at which no line ends.
std::string unbroken(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == ' ' ? std::string("\u00A0") : std::string(1, c);
  return result;
}

std::string percent(double value) { return format_number(value) + "\u00A0%"; }

Check check_failures(const Results& results) {
  if (results.failures == 0) return {true, "Every run ended, with the result of the serial code."};
  return {false, format_count(results.failures, "run") + " died or gave another result than the serial code."};
}

Check check_rounds(const Results& results) {
  const unsigned rounds = results.setting.rounds;
  constexpr unsigned kEnough = 6;  // of fewer, the interval of the median cannot have the confidence it states
  const std::string found = format_count(rounds, "round") + ".";
  return {rounds >= kEnough, rounds >= kEnough ? found : found + " With fewer than 6 the intervals are too narrow."};
}

Check check_control(const Results& results, unsigned threads) {
  const Interval mean = control_mean(results, threads);
  if (std::isnan(mean.middle))
    return {false, "furca was not measured against itself: the noise is unknown, so that every row is a tie."};
  const Row& worst = *noisiest_row(results, threads);
  const double noise = noise_factor(control_interval(worst, threads));
  const bool passed = noise < 1.1 && noise_factor(mean) < 1.05;
  return {passed, "A/A: furca measured against itself, which should give 1, gave " + format_interval(mean) +
                      " over all rows; the noisiest row, " + worst.label() + ", " +
                      format_interval(control_interval(worst, threads)) +
                      ". A ratio inside a row's own A/A noise counts as a tie."};
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
                     std::to_string(found.slower) + ", tie on " + std::to_string(found.tie);
  if (found.unknown > 0) text += ", no result on " + std::to_string(found.unknown);
  return text + "; geometric mean of " + rival + " time / furca time: " + format_interval(found.mean) + ".";
}

std::string serial_sentence(const Results& results, unsigned threads) {
  std::vector<std::vector<double>> sets;
  for (const Row& row : results.rows) sets.push_back(speedups(row, "furca", threads));
  return "At " + format_count(threads, "thread") + ", furca is " + format_interval(bootstrap_geometric_mean(sets)) +
         " times as fast as the serial code, as a geometric mean over " +
         format_count(static_cast<unsigned>(results.rows.size()), "row") + ".";
}

std::string list_rows(const Results& results, const std::string& rival, Verdict verdict, std::size_t limit) {
  const unsigned threads = most_threads(results);
  std::vector<std::pair<double, std::string>> found;
  for (const Row& row : results.rows) {
    const Comparison comparison = compare(row, rival, threads);
    if (row.find(rival, threads) == nullptr || comparison.verdict != verdict) continue;
    found.emplace_back(std::abs(std::log(comparison.ratio.middle)),
                       row.label() + " (" + format_number(comparison.ratio.middle) + ")");
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
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
