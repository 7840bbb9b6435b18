// Runs every contender of every workload in rounds, each time in a process of its own. Knows
// neither contenders nor workloads.
#pragma once

#include "output/results.hpp"

#include <string>
#include <vector>

namespace bench {

struct Plan {
  Effort effort = Effort::normal;
  unsigned rounds = 0;
  double budget_seconds =
      0;  // no round begins that would not end within; three are run anyway. 0: no limit
  std::vector<unsigned> threads;  // ascending; the parallel contenders run with each
  unsigned processors = 0;        // that this program may run on
  std::uint64_t seed = 0;
  std::string filter;             // part of the name of a row, a probe or a group; empty: all
  std::vector<std::string> only;  // names of workloads and probes; empty: all
  std::string text_dir;           // empty: no workload that reads text
};

/// One workload at one size.
struct PlannedRow {
  const Workload* workload;
  std::size_t size;

  std::string label() const;
};

/// Whether the plan's filter lets pass what has this name.
bool is_selected(const Plan& plan, const std::string& name, Group group);
std::vector<PlannedRow> select_rows(const Plan& plan);
std::vector<const Probe*> select_probes(const Plan& plan);

/// Runs a plan; setting is left empty but for the number of rounds.
Results run(const Plan& plan);

}  // namespace bench
