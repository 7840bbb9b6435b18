// Tables of what was simulated, as text.
#pragma once

#include "scheduler.hpp"

#include <string>
#include <vector>

namespace simulator {

/// One run of one workload.
struct Run {
  std::size_t workers = 1;
  Wait wait = Wait::own_subtree;
  Outcome outcome;
};

/// One workload's runs, in the order in which they are shown.
struct Row {
  std::string name;
  std::string summary;
  Totals totals;
  std::vector<Run> runs;

  double speed_up(const Run& run) const;
  /// What any greedy scheduler reaches: it takes T1 / P + T_inf at most (Graham; Brent).
  double bound(const Run& run) const;
};

std::string table(const Row& row);

/// Where the workers' time and the lines' went.
std::string detail(const Row& row);

/// How fast Wait::own_subtree is beside Wait::greedy, by workload and number of workers. Empty
/// unless both were run.
std::string price(const std::vector<Row>& rows);

}  // namespace simulator
