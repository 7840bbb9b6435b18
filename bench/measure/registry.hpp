// What can be run: workloads as contenders run them, and probes. Knows no runtime and no algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class Effort { quick, normal, full };

/// The parts of the report, in its order. Workloads are in the first three, probes in the others.
enum class Group { forks, loops, reductions, behaviour, micro, instructions };

/// What a workload needs of a contender, and what a contender offers: any of these together.
using Operations = unsigned;
inline constexpr Operations kJoin = 1;   // join(a, b): both results
inline constexpr Operations kSpawn = 2;  // spawn(n, body): n children, waited for
inline constexpr Operations kFineForks =
    4;  // join and spawn with next to no work in them, by the million
inline constexpr Operations kLoop = 8;     // loop(n, body)
inline constexpr Operations kReduce = 16;  // reduce(n, identity, map, op)

/// What a workload builds its input from. The same for every contender and every round.
struct Input {
  std::size_t size = 0;
  std::uint64_t spins_per_ms = 0;  // what busy_work() gets through in a millisecond here
  std::string text_dir;
};

/// A workload, set up, in the hands of one contender.
class Body {
 public:
  virtual ~Body() = default;

  /// Does the work once. What it returns identifies the result, and must be the serial run's.
  virtual std::uint64_t call() = 0;

  /// For results that stay in memory: identifies what all calls so far came to, in a way that does
  /// not depend on their number.
  virtual std::uint64_t settle(std::uint64_t calls) = 0;
};

struct Contender {
  std::string name;  // unique: "oneTBB task_group"
  std::string
      family;   // what the tables say: "oneTBB"; of several in a family the fastest is measured
  bool serial;  // the reference: runs on one thread only
  /// Calls f inside the runtime, with that many threads.
  void (*enter)(unsigned threads, const std::function<void()>& f);
};

struct Workload {
  struct Entrant {
    const Contender* contender;
    std::unique_ptr<Body> (*make)(const Input&);
  };

  std::string name;
  std::string summary;
  Group group;
  bool reads_text;
  double rest_ms;  // how long the caller sleeps before each call; 0: back to back
  std::vector<std::size_t> (*sizes)(Effort);  // a row for each; 0: the size says nothing
  std::vector<Entrant> entrants;
};

/// A figure that is no time of a workload. Measured in a process of its own, like every run.
struct Probe {
  Group group;
  std::string name;     // "idle"
  std::string family;   // "furca", "oneTBB", "OpenMP"
  std::string variant;  // of the family, or empty: "classic fence"
  std::string unit;     // of what measure returns: "ns"; less is better
  std::string summary;
  double (*measure)(unsigned threads);
  std::vector<std::string> environment = {};  // "FURCA_FENCE=classic"
  bool slow = false;                          // takes a second or more: measured less often
  Effort least = Effort::quick;  // at less it is left out, unless it is asked for by name
};

/// Both are filled by static objects (contenders.hpp, probes/) before main.
inline std::vector<Workload>& workloads() {
  static std::vector<Workload> all;
  return all;
}

inline std::vector<Probe>& probes() {
  static std::vector<Probe> all;
  return all;
}

/// Runtimes and their versions, for the heading.
std::vector<std::string> runtimes();  // contenders.cpp

}  // namespace bench
