// The machine: what it is, and whether others use it while we measure.
#pragma once

#include "../output/results.hpp"

#include <chrono>

namespace bench {

Topology host_topology();

/// Fills in what a setting says of the machine and of this build: all but what a Watch and the plan
/// know.
void describe_host(Setting& setting);

/// Notes what the machine does from its making on: with others at work, figures for several threads
/// mean little.
class Watch {
 public:
  Watch();

  /// Fills in date, duration, load and disturbance. Children count as ours once they were waited
  /// for.
  void note(Setting& setting) const;

 private:
  /// Processor seconds, since the machine or this program began.
  struct Times {
    double used = 0;    // of the whole machine
    double stolen = 0;  // by the hypervisor
    double own = 0;
  };
  static Times now();

  std::chrono::steady_clock::time_point start_;
  std::string load_;
  Times before_;
};

}  // namespace bench
