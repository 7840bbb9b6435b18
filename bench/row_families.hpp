// Families of rows: those that ask the same question, so that a mean over them says something.
#pragma once

#include "results.hpp"

#include <array>

namespace bench {

enum class RowFamily { bare_forks, forks, near_empty_loops, rested_loops, cost_loops, loops, reductions };

/// All, in the order of the reports.
inline constexpr std::array kRowFamilies{RowFamily::bare_forks,   RowFamily::forks,      RowFamily::near_empty_loops,
                                         RowFamily::rested_loops, RowFamily::cost_loops, RowFamily::loops,
                                         RowFamily::reductions};

/// By the workload's name and size, and not by what was measured: a row is in the same family in every run.
RowFamily family_of(const Row& row);

const char* name_of(RowFamily family);  // "bare forks"

/// What its rows have in common, and what they are there for.
const char* explanation_of(RowFamily family);

}  // namespace bench
