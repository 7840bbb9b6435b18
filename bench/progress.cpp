#include "progress.hpp"

#include <cstdio>

#include <unistd.h>

namespace bench {
namespace {

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

Progress::Progress(std::size_t tasks) : seconds_(tasks, -1) {}

double Progress::seconds(const std::vector<unsigned>& times) const {
  double known = 0;
  unsigned known_tasks = 0;
  for (const double seconds : seconds_) {
    known += seconds < 0 ? 0 : seconds;
    known_tasks += seconds < 0 ? 0 : 1;
  }
  const double usual = known_tasks > 0 ? known / known_tasks : 0;
  double sum = 0;
  for (std::size_t i = 0; i < times.size() && i < seconds_.size(); ++i) sum += times[i] * (seconds_[i] < 0 ? usual : seconds_[i]);
  return sum;
}

void Progress::begin(std::size_t task, const std::string& what, const std::vector<unsigned>& left) {
  current_ = task;
  start_ = std::chrono::steady_clock::now();
  if (!on_terminal()) return;
  const auto seconds_left = static_cast<unsigned>(seconds(left) + 0.5);
  std::fprintf(stderr, "\r\033[K%u:%02u left, %s", seconds_left / 60, seconds_left % 60, what.c_str());
}

void Progress::end() {
  seconds_[current_] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::clear() {
  if (on_terminal()) std::fprintf(stderr, "\r\033[K");
}

}  // namespace bench
