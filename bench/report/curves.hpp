// Curves over the numbers of threads: how much faster than the serial code each row is, and where the machine has its borders.
#pragma once

#include "../results.hpp"

#include <ostream>
#include <string>

namespace bench {

/// An <svg> element for a page that has chart_sheet() (sheet.hpp). Empty if there are fewer than three numbers of threads.
std::string curves_element(const Results& results);

/// The same as a file of its own, for light and dark backgrounds; without curves it says so.
void write_curves(std::ostream& out, const Results& results);

}  // namespace bench
