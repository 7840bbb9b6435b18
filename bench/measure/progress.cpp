#include "progress.hpp"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace bench {
namespace {

/// "4:05"
std::string clock(double seconds) {
  const auto whole = static_cast<unsigned>(std::max(0.0, seconds) + 0.5);
  const std::string rest = std::to_string(whole % 60);
  return std::to_string(whole / 60) + (rest.size() < 2 ? ":0" : ":") + rest;
}

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

Progress::~Progress() {
  if (on_terminal()) std::fputs("\r\033[K", stderr);
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
  if (!on_terminal() && start_ - said_ < std::chrono::seconds(10)) return;
  said_ = start_;
  std::fprintf(stderr, on_terminal() ? "\r\033[K%s left, %s" : "%s left, %s\n",
               clock(seconds(left)).c_str(), what.c_str());
}

void Progress::end() {
  seconds_[current_] = std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace bench
