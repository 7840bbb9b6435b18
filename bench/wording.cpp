#include "wording.hpp"

#include "summary.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace bench {
namespace {

std::string in_words(unsigned count) {
  constexpr std::array kWords{"no", "one", "two", "three", "four", "five"};
  static_assert(kWords.size() == kLeastForInterval);
  return kWords.at(count);
}

/// "range of three rounds", "range of three to five rounds"
std::string range_name(const RoundCounts& counts) {
  const std::string from = counts.fewest < counts.most ? in_words(counts.fewest) + " to " : "";
  return "range of " + from + in_words(counts.most) + (counts.most == 1 ? " round" : " rounds");
}

/// "94 %", "5.3 %"
std::string percent(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value >= 10 ? "%.0f %%" : "%.1f %%", value);
  return text.data();
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "slower";
    case Verdict::tie: return "tie";
    case Verdict::not_known: return "not known";
    case Verdict::withheld: return "withheld";
    case Verdict::no_result: return "no result";
  }
  return "";
}

std::string disturbance_sentence(const Setting& setting) {
  return "other programs used " + percent(setting.others_percent) + " of the processors, the hypervisor " +
         percent(setting.stolen_percent);
}

std::string withheld_notice(const Setting& setting) {
  if (was_quiet(setting)) return "";
  return "Not a quiet machine: " + disturbance_sentence(setting) +
         ", more than 5 % together. Verdicts are withheld: the figures say more of what else ran than of furca.";
}

std::string machine_mark(const Setting& setting) { return was_quiet(setting) ? "" : " (not a quiet machine)"; }

std::string bounds_sentence(const Results& results) {
  const RoundCounts counts = round_counts(results);
  std::string text = counts.intervals ? "in brackets: 95 % interval" : "";
  if (counts.most > 0) text += (text.empty() ? "" : "; ") + ("in parentheses: " + range_name(counts));
  return text;
}

std::string caption(const Setting& setting) {
  std::string text = setting.processor + ", " + setting.date.substr(0, 10);  // of the time of day, nothing
  for (const std::string& version : setting.versions) text += ", " + version;
  return text;
}

}  // namespace bench
