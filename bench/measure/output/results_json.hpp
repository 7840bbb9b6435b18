// Results as JSON: all raw samples, so that every figure of a report can be made from them.
#pragma once

#include "results.hpp"

#include <string>

namespace bench {

/// Each is one line, without its end. NaN and the infinities become null.
std::string to_json(const Setting& setting);
std::string to_json(const Results& results);

}  // namespace bench
