// What the terminal shows: tables of at most 100 columns.
#pragma once

#include "../results.hpp"

#include <ostream>

namespace bench::terminal {

void print_heading(std::ostream& out, const Setting& setting);

/// Times and ratios, print_scaling(), what else the runs took, and the probes' figures. First of
/// all, if the machine was not quiet, that there are no verdicts.
void print_tables(std::ostream& out, const Results& results);

/// Of three numbers of threads or more: speed-ups, the efficiency at the largest, the machine's borders, and where furca's threads spend their time.
void print_scaling(std::ostream& out, const Results& results);

/// What it all comes to, and how much to believe of it.
void print_summary(std::ostream& out, const Results& results);

/// The project's own bounds, each with what came out: reached or MISSED; neither, if the machine was not quiet.
void print_targets(std::ostream& out, const Results& results);

/// This run beside an earlier one.
void print_changes(std::ostream& out, const Results& earlier, const Results& now);

}  // namespace bench::terminal
