// The project's own bounds, and what a run came to beside each.
#pragma once

#include "results.hpp"

#include <string>
#include <vector>

namespace bench {

struct Judgement {
  enum class Bound { at_most, at_least };

  std::string what;
  double value;  // NaN: there was no result
  Bound bound;
  double limit;

  bool reached() const { return bound == Bound::at_most ? value <= limit : value >= limit; }  // NaN: no
};

/// A line for each bound that the results have something about, from medians over the rounds. Where a bound is on many rows, the
/// row that comes off worst stands for all.
std::vector<Judgement> judge_targets(const Results& results);

bool row_has_target(const std::string& workload);
bool figure_has_target(const std::string& name, const std::string& unit);

}  // namespace bench
