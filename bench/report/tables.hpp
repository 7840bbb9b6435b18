// The tables of the report.
#pragma once

#include "../results.hpp"

#include <ostream>

namespace bench {

/// Verdicts and geometric means by family of rows, and the verdicts on all, at every number of threads.
void write_tallies(std::ostream& out, const Results& results);

/// Wall times of every row, ratios and verdicts.
void write_times(std::ostream& out, const Results& results, unsigned threads);

/// What the rows took besides time: processor time, memory, context switches.
void write_costs(std::ostream& out, const Results& results, unsigned threads);

/// What the probes found. Nothing if there was none.
void write_figures(std::ostream& out, const Results& results);

}  // namespace bench
