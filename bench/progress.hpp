// The line that says how long it will still take.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace bench {

/// Learns how long each of several tasks takes, which are done again and again; says so on stderr if that is a terminal, on one
/// line that overwrites itself.
class Progress {
 public:
  explicit Progress(std::size_t tasks);

  /// Task number `task` begins; so many times each task is still to be done, this one not counted.
  void begin(std::size_t task, const std::string& what, const std::vector<unsigned>& left);
  void end();

  /// The time that one of each of these tasks takes, as far as it is known.
  double seconds(const std::vector<unsigned>& times) const;

  /// That one task took when it was done last; negative: it was not.
  double seconds_of(std::size_t task) const { return seconds_[task]; }

  static void clear();

 private:
  std::vector<double> seconds_;  // of each task, when it was done last; negative: not yet
  std::size_t current_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace bench
