// A run as a report gets it, for tests of reports.
#pragma once

#include "results.hpp"

#include <vector>

namespace bench {

inline Series series_of(const char* family, unsigned threads, const std::vector<double>& walls, bool control = false) {
  Series made{family, family, threads, control, {}};
  for (const double wall : walls) made.samples.push_back(Sample{wall, 2 * wall, 1024, 1, 1, 1});
  return made;
}

/// furca takes what it takes, oneTBB so many times as long in each round; furca against itself is equal.
inline Row row_of(const char* workload, Group group, std::size_t size, const std::vector<double>& ratios) {
  std::vector<double> furca;
  std::vector<double> rival;
  std::vector<double> serial;
  for (std::size_t round = 0; round < ratios.size(); ++round) {
    furca.push_back(1e6 + static_cast<double>(round));
    rival.push_back(furca.back() * ratios[round]);
    serial.push_back(2 * furca.back());
  }
  return {workload,
          "what it does: why it is there",
          group,
          size,
          0,
          {series_of("serial", 1, serial), series_of("furca", 2, furca), series_of("furca", 2, furca, true),
           series_of("oneTBB", 2, rival)}};
}

/// Rows in two families: forks on which furca is faster by far, and a loop of which nothing is known.
inline Results example_run() {
  Results run;
  run.setting.date = "2031-05-06T07:08:09Z";
  run.setting.processor = "a processor";
  run.setting.versions = {"furca 0.1.0", "oneTBB 2021.8"};
  run.setting.rounds = 6;
  run.setting.threads = {2};
  run.setting.affinity = 2;
  run.rows = {row_of("fib", Group::forks, 35, {40, 40, 40, 40, 40, 40}),
              row_of("skynet", Group::forks, 1000, {10, 10, 10, 10, 10, 10}),
              row_of("heat", Group::loops, 64, {0.40, 0.42, 0.80, 0.80, 1.14, 1.14})};
  run.figures = {{"wake from sleep", "how long it takes", Group::micro, "furca", "adaptive fence", "ns", {30, 31, 32}},
                 {"wake from sleep", "how long it takes", Group::micro, "oneTBB", "", "ns", {20, 20, 20}}};
  return run;
}

/// A row on 1, 4 and 16 threads of a machine of 8 cores in two caches: half as much as there are threads, with the others idle as long as the span says.
inline Results scaling_run() {
  Results run = example_run();
  run.setting.threads = {1, 4, 16};
  run.setting.affinity = 16;
  run.setting.topology = {16, 8, 2, 1, 1, {{4, "the cores of one last-level cache"}, {8, "all cores; beyond, two threads share a core"}}};
  run.rows = {row_of("heat", Group::loops, 64, {1, 1, 1})};
  run.rows[0].series = {series_of("serial", 1, {16e6, 16e6, 16e6})};
  run.rows[0].span_ns = 16e6 / 8 * 16 / 15 / 4;
  for (const unsigned threads : run.setting.threads) {
    const double wall = threads == 1 ? 16e6 : 2 * 16e6 / threads;
    run.rows[0].series.push_back(series_of("furca", threads, {wall, wall, wall}));
    run.rows[0].series.push_back(series_of("oneTBB", threads, {2 * wall, 2 * wall, 2 * wall}));
    for (Sample& sample : run.rows[0].series[run.rows[0].series.size() - 2].samples) {
      sample.busy_threads = threads == 1 ? 1 : threads / 2.0;
      sample.cpu_ns = wall * sample.busy_threads;
      sample.heavy_fences = threads == 1 ? 0 : 2.5;
    }
  }
  return run;
}

/// The same, of which only the first rounds were run.
inline Results first_rounds(Results run, unsigned rounds) {
  run.setting.rounds = rounds;
  for (Row& row : run.rows) {
    for (Series& series : row.series) series.samples.resize(rounds);
  }
  return run;
}

}  // namespace bench
