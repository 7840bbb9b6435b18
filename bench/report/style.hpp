// What the classes of charts and pages look like, on light and on dark screens.
#pragma once

#include <string>

namespace bench {

/// For a chart in a file of its own. The page has it, too.
std::string chart_sheet();

/// For the page: the charts' rules and its own.
std::string page_sheet();

}  // namespace bench
