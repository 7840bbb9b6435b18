// The report as a page: one file that needs nothing else.
#pragma once

#include "../results.hpp"

#include <ostream>

namespace bench {

/// The chart, the curves, and around them what the terminal shows, in the same words. No script, no font and no image is fetched.
void write_page(std::ostream& out, const Results& results);

}  // namespace bench
