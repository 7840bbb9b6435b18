// What the terminal shows: tables of at most 100 columns.
#pragma once

#include "../results.hpp"

#include <ostream>

namespace bench::terminal {

void print_heading(std::ostream& out, const Setting& setting);

/// Times and ratios, what else the runs took, the probes' figures, and what it all comes to. First of all, if the machine was not
/// quiet, that there are no verdicts.
void print_results(std::ostream& out, const Results& results);

/// The project's own bounds, each with what came out: reached or MISSED; neither, if the machine was not quiet.
void print_targets(std::ostream& out, const Results& results);

/// This run beside an earlier one.
void print_changes(std::ostream& out, const Results& earlier, const Results& now);

}  // namespace bench::terminal
