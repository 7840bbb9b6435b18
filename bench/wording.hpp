// What tables and chart say in the same words.
#pragma once

#include "results.hpp"
#include "statistics.hpp"

#include <string>

namespace bench {

/// "faster", "tie", "not known": of furca.
const char* name_of(Verdict verdict);

/// When a row is what: "tie", "the bounds lie within 5 % of 1".
struct Rule {
  const char* verdict;
  const char* meaning;
};

inline constexpr Rule kVerdictRules[] = {
    {"faster, slower", "1 is outside of the bounds, and the ratio is beyond the row's noise"},
    {"tie", "the bounds lie within 5 % of 1"},
    {"not known", "everything else"},
    {"noise", "how far furca measured against itself strays from 1, and 2 % at least"},
};

/// "other programs used 94 % of the processors, the hypervisor 0.1 %"
std::string disturbance_sentence(const Setting& setting);

/// Why there are no verdicts, in two sentences. Empty if there are some.
std::string withheld_notice(const Setting& setting);

/// What stands before figures of a machine that was not quiet: " (not a quiet machine)". Otherwise empty.
std::string machine_mark(const Setting& setting);

/// What bounds are: "in brackets: 95 % interval", "in parentheses: range of three rounds", or both where rows differ.
std::string bounds_sentence(const Results& results);

/// The machine, the day and the versions, in a line.
std::string caption(const Setting& setting);

}  // namespace bench
