// What the classes of the drawings look like.
#pragma once

#include <string>

namespace bench {

/// A style sheet for light and for dark screens.
std::string chart_sheet();

}  // namespace bench
