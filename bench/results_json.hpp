// Results as JSON: all raw samples, so that every figure of a report can be made again from the file; and what they come to by
// family of rows, for other programs.
#pragma once

#include "results.hpp"

#include <string>

namespace bench {

std::string to_json(const Results& results);

/// Throws std::runtime_error, saying what is wrong, if the text is not what to_json() writes.
Results from_json(const std::string& text);

}  // namespace bench
