// How families and verdicts are named and told apart, the same in every chart and table.
#pragma once

#include "../results.hpp"
#include "../statistics.hpp"
#include "svg.hpp"

#include <array>
#include <string>
#include <vector>

namespace bench {

/// Those that workloads are in, in the report's order.
inline constexpr std::array kRowGroups{Group::forks, Group::loops, Group::reductions};

/// furca, and its rivals in the order of rivals().
std::vector<std::string> parallel_families(const Results& results);

/// The class that colours a family: "furca", "serial", "rival", "other".
std::string style_of(const std::string& family);

Shape shape_of(const std::string& family);
Shape shape_of(Verdict verdict);

/// "faster", "tie", "slower", "unknown": also the class that colours it.
const char* name_of(Verdict verdict);

}  // namespace bench
