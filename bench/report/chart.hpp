// The chart of all rows: how long each took with the others beside furca, at the largest number of threads.
#pragma once

#include "../results.hpp"

#include <ostream>
#include <string>

namespace bench {

/// An <svg> element for a page that has chart_sheet() (sheet.hpp). Empty if there is nobody to compare with.
std::string chart_element(const Results& results);

/// The same as a file of its own, for light and dark backgrounds.
void write_chart(std::ostream& out, const Results& results);

}  // namespace bench
