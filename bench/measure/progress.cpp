#include "progress.hpp"

#include <algorithm>
#include <iostream>

#include <unistd.h>

namespace bench {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// "4:05"
std::string clock(double seconds) {
  const auto whole = static_cast<unsigned>(std::max(0.0, seconds) + 0.5);
  const std::string rest = std::to_string(whole % 60);
  return std::to_string(whole / 60) + (rest.size() < 2 ? ":0" : ":") + rest;
}

}  // namespace

Progress::Progress(std::size_t tasks)
    : Progress(tasks, std::cerr, isatty(STDERR_FILENO) != 0, kInterval) {}

Progress::Progress(std::size_t tasks, std::ostream& out, bool terminal,
                   std::chrono::milliseconds interval)
    : out_(out), terminal_(terminal), seconds_(tasks, -1) {
  if (!terminal_) writer_ = std::thread([this, interval] { write_lines(interval); });
}

Progress::~Progress() {
  if (terminal_) {
    out_ << "\r\033[K" << std::flush;
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_one();
  writer_.join();
}

double Progress::seconds(const std::vector<unsigned>& times) const {
  double known = 0;
  unsigned known_tasks = 0;
  for (const double seconds : seconds_) {
    known += seconds < 0 ? 0 : seconds;
    known_tasks += seconds < 0 ? 0 : 1;
  }
  const double usual = known_tasks > 0 ? known / known_tasks : 0;
  double sum = 0;
  for (std::size_t i = 0; i < times.size() && i < seconds_.size(); ++i)
    sum += times[i] * (seconds_[i] < 0 ? usual : seconds_[i]);
  return sum;
}

void Progress::begin(std::size_t task, const std::string& what, const std::vector<unsigned>& left) {
  current_ = task;
  start_ = Clock::now();
  const double seconds_left = seconds(left);
  if (terminal_) {
    out_ << "\r\033[K" << clock(seconds_left) << " left, " << what << std::flush;
    return;
  }
  const std::lock_guard lock(mutex_);
  what_ = what;
  left_ = seconds_left;
  known_ = start_;
}

void Progress::end() { seconds_[current_] = seconds_between(start_, Clock::now()); }

void Progress::write_lines(std::chrono::milliseconds interval) {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, interval, [this] { return stopped_; })) {
    const Clock::time_point now = Clock::now();
    out_ << clock(seconds_between(first_, now)) << " gone";
    if (left_ > 0) out_ << ", " << clock(left_ - seconds_between(known_, now)) << " left";
    if (!what_.empty()) out_ << ", " << what_;
    out_ << std::endl;
  }
}

}  // namespace bench
