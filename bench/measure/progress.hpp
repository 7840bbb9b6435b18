// The line that says how long it will still take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// Learns how long each of several tasks takes, which are done again and again, and says on stderr
/// how far it is: on a terminal on one line that overwrites itself, elsewhere on a line of its own
/// when a task begins and the last line is ten seconds old.
class Progress {
 public:
  explicit Progress(std::size_t tasks) : seconds_(tasks, -1) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Task number `task` begins; so many times each task is still to be done, this one not counted.
  void begin(std::size_t task, const std::string& what, const std::vector<unsigned>& left);
  void end();

  /// The time that one of each of these tasks takes, as far as it is known.
  double seconds(const std::vector<unsigned>& times) const;

  /// That one task took when it was done last; negative: it was not.
  double seconds_of(std::size_t task) const { return seconds_[task]; }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<double> seconds_;  // of each task, when it was done last; negative: not yet
  std::size_t current_ = 0;
  Clock::time_point start_;
  Clock::time_point said_ = Clock::now();
};

}  // namespace bench
