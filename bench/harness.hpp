// Runs every contender of every workload in rounds, each time in a process of its own. Knows neither contenders nor workloads.
#pragma once

#include "registry.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bench {

struct Plan {
  Effort effort = Effort::normal;
  unsigned rounds = 0;
  unsigned threads = 1;  // N: how many the parallel contenders have, besides 1
  std::uint64_t seed = 0;
  std::string filter;    // part of a row's label; empty: all
  std::string text_dir;  // empty: no workload that reads text
};

/// One contender at one number of threads: nanoseconds per call for each round, NaN where it failed.
struct Series {
  const Workload::Entrant* entrant;
  unsigned threads;
  std::vector<double> ns;
};

/// One workload at one size.
struct Row {
  const Workload* workload;
  std::size_t size;
  std::vector<Series> series;

  std::string label() const;
  /// Of the family's contenders the one with the least median; null if there is none.
  const Series* best(const std::string& family, unsigned threads) const;
};

struct ProbeResult {
  const Probe* probe;
  double value;
};

struct Results {
  std::vector<Row> rows;
  std::vector<ProbeResult> probes;
  unsigned failures = 0;  // children that died or gave another result than the serial one; each was reported on stderr
};

/// The rows that a plan selects, nothing run yet.
std::vector<Row> select_rows(const Plan& plan);
std::vector<const Probe*> select_probes(const Plan& plan);

/// Runs a plan. `program`: this program's own path, for the children.
Results run(const Plan& plan, const std::string& program);

/// What the program does in a child: if the arguments are a child's, its exit code.
std::optional<int> run_if_child(std::span<char* const> arguments);

}  // namespace bench
