// The charts of the report: what of the results each one shows.
#pragma once

#include "../results.hpp"

#include <ostream>
#include <string>

namespace bench {

// Elements of a page; empty if there is nothing to show. Charts with a line for every row are there twice, for wide and for
// narrow screens, and the style sheet shows the one that fits.

/// Every row's ratio rival / furca at the largest number of threads, if there is a rival.
std::string ratio_chart(const Results& results);

/// The same as an SVG file of its own, for light and dark backgrounds.
void write_ratio_chart(std::ostream& out, const Results& results);

/// Every row's time on one thread / serial time.
std::string overhead_chart(const Results& results);

/// Speed-up over the serial code by number of threads, a panel for each row, if there are several numbers.
std::string speedup_panels(const Results& results);

/// Time per call by size, a panel for each workload with several sizes.
std::string sweep_panels(const Results& results);

/// What the panels' curves mean, as an HTML list. `ideal`: with the line that stands for it; otherwise with serial.
std::string panel_legend(const Results& results, bool ideal);

}  // namespace bench
