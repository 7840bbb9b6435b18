// The public table of other libraries, github.com/tzcnt/runtime-benchmarks: 64 cores of an EPYC
// 7742, and how the simulator predicts it.
//
// What is known of each library is what it takes on one core, which was measured, and its rules.
// Trees too large for so many events are simulated in two smaller sizes and continued: what is lost
// beside the work grows like a power of it.
#pragma once

#include "scheduler.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace simulator {

/// One program of the table.
struct Benchmark {
  std::string name;
  std::unique_ptr<Tree> (*tree)(int size);  // smaller, larger, whole: 0, 1, 2
  bool whole = false;                       // is simulated as it is
  Time work = 0;                            // of the whole, in ns
  std::uint64_t forks = 0;
};

struct Library {
  std::string name;
  Wait wait = Wait::greedy;
  std::array<double, 4> one_core{};   // ms, by benchmark
  std::array<double, 4> published{};  // ms on 64 cores; 0: none
};

const std::array<Benchmark, 4>& benchmarks();
const std::vector<Library>& libraries();  // furca is the first
Setting setting_of(const Library& library, const Setting& furca);

struct Prediction {
  double time = 0;      // ms, on cores of the machine's speed
  double speed_up = 0;  // over its own time on one core
  double on_fences = 0;
};

/// One library runs one benchmark. `whole`: whatever its size.
Prediction predict(const Library& library, std::size_t benchmark, Setting setting,
                   bool whole = false);

/// The published table beside the predicted one.
std::string peers_table(const Setting& setting, bool whole);

}  // namespace simulator
