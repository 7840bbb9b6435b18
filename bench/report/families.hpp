// How families and verdicts are named and told apart, the same in every chart and table.
#pragma once

#include "../results.hpp"
#include "../statistics.hpp"
#include "svg.hpp"

#include <string>
#include <vector>

namespace bench {

/// furca, and its rivals in the order of rivals().
std::vector<std::string> parallel_families(const Results& results);

/// The class that colours a family: "furca", "serial", "rival", "other".
std::string style_of(const std::string& family);

Shape shape_of(const std::string& family);
Shape shape_of(Verdict verdict);

/// The class that colours a verdict: "faster", "slower", or "tie" for all that is neither.
const char* style_of(Verdict verdict);

}  // namespace bench
