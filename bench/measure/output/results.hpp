// What a run found: plain data, all of it kept and written to JSON. Every report is made from that.
#pragma once

#include "../machine/topology.hpp"
#include "../registry.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// The family of this library.
inline constexpr const char* kOurs = "furca";

/// Stands for what is not known.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// One run of one contender in a process of its own. NaN where it failed.
struct Sample {
  double wall_ns;    // median time per call
  double cpu_ns;     // processor time of the whole process per call
  double peak_kib;   // peak resident memory of the process, its input included
  double voluntary;  // context switches in all measured calls
  double involuntary;
  double calls;  // that were measured
  // What furca alone tells, by its stats().
  double busy_threads = kUnknown;  // how many of its threads had work during the calls, on average;
                                   // they need not have had a processor
  double heavy_fences = kUnknown;  // process-wide fences (membarrier) per call
};

/// One contender at one number of threads; a sample for each round, in order, so that rounds can be
/// compared.
struct Series {
  std::string family;     // "oneTBB"
  std::string contender;  // "oneTBB task_group"
  unsigned threads = 1;
  bool control = false;  // A/A: a second series of furca with the same threads, which should be
                         // equal to the first
  std::vector<Sample> samples;
};

/// One workload at one size.
struct Row {
  std::string workload;
  std::string summary;
  Group group = Group::forks;
  std::size_t size = 0;  // 0: says nothing
  double rest_ms = 0;
  std::vector<Series> series;
  double span_ns = kUnknown;  // of a call of furca's, by FURCA_STATS=span: no number of threads
                              // makes it faster than that

  std::string label() const;
};

/// What a probe found, a value for each time.
struct Figure {
  std::string name;
  std::string summary;
  Group group = Group::behaviour;
  std::string family;
  std::string variant;
  std::string unit;
  std::vector<double> values;
};

/// Where and how: everything that a reader must know to believe a figure, and to repeat it.
struct Setting {
  std::string date;  // ISO 8601, UTC
  std::string processor;
  unsigned processors = 0;  // online
  unsigned affinity = 0;    // that this program may run on
  std::string quota;        // "1.5 processors" or "none"
  Topology topology;
  std::string kernel;
  std::string load_before;
  std::string load_after;
  double stolen_percent = 0;  // of the processors' time, by the hypervisor
  double others_percent = 0;  // by other programs
  std::string compiler;
  std::string flags;
  std::vector<std::string> versions;  // "furca 0.1.0 (commit)", "oneTBB 2021.8"
  std::string effort;
  std::uint64_t seed = 0;
  unsigned rounds = 0;
  std::vector<unsigned> threads;  // ascending
  double seconds = 0;             // that the run took
};

struct Results {
  Setting setting;
  std::vector<Row> rows;
  std::vector<Figure> figures;
  unsigned failures = 0;  // processes that died or gave another result than the serial one; each
                          // was reported on stderr
};

/// Words of a text but those with a path in them: whoever sends a result need not say how folders
/// are called at his place.
std::string without_paths(const std::string& text);

const char* name_of(Group group);  // "forks"
std::optional<Group> group_called(const std::string& name);

}  // namespace bench
