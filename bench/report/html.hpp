// The report as a page: one file that needs nothing else.
#pragma once

#include "../results.hpp"

#include <ostream>

namespace bench {

/// Self-contained HTML: no script, no font and no image is fetched.
void write_html(std::ostream& out, const Results& results);

}  // namespace bench
