// The line that says how long it will still take.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace bench {

/// Learns how long each of several tasks takes, which are done again and again, and says how far it
/// is: on a terminal on one line that overwrites itself, elsewhere on a line of its own every ten
/// seconds, however long a task takes.
class Progress {
 public:
  static constexpr std::chrono::milliseconds kInterval = std::chrono::seconds(10);

  /// Writes to stderr.
  explicit Progress(std::size_t tasks);
  Progress(std::size_t tasks, std::ostream& out, bool terminal, std::chrono::milliseconds interval);
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

  void write_lines(std::chrono::milliseconds interval);

  std::ostream& out_;
  const bool terminal_;
  const Clock::time_point first_ = Clock::now();
  std::vector<double> seconds_;  // of each task, when it was done last; negative: not yet
  std::size_t current_ = 0;
  Clock::time_point start_;

  std::mutex mutex_;  // of what the writer's thread reads
  std::string what_;
  double left_ = 0;          // seconds from start_ on; 0: not known
  Clock::time_point known_;  // when left_ was right
  bool stopped_ = false;
  std::condition_variable stop_;
  std::thread writer_;  // only where there is no terminal
};

}  // namespace bench
