// The machine: what it is, and whether others use it while we measure.
#pragma once

#include <chrono>
#include <string>

namespace bench {

std::string processor_model();

/// The load average of the last minute.
std::string load();

/// Notes how much of the machine others take while it lives: with others at work, figures for several threads mean little.
class Watch {
 public:
  Watch();

  /// A line for the report. Children count as ours once they were waited for.
  std::string disturbance() const;

 private:
  /// Processor seconds, since the machine or this program began.
  struct Times {
    double used = 0;    // of the whole machine
    double stolen = 0;  // by the hypervisor
    double own = 0;
  };
  static Times now();

  std::chrono::steady_clock::time_point start_;
  Times before_;
};

}  // namespace bench
