#include "measure.hpp"

#include "busy_work.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/resource.h>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// What the process, all its threads together, has used so far.
struct Usage {
  double cpu_seconds;
  double voluntary;
  double involuntary;
};

Usage usage() {
  rusage all{};
  getrusage(RUSAGE_SELF, &all);
  return {seconds(all.ru_utime) + seconds(all.ru_stime), static_cast<double>(all.ru_nvcsw),
          static_cast<double>(all.ru_nivcsw)};
}

/// VmHWM and not ru_maxrss, which remembers what the process was before exec.
double peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double value = 0;
    if (word == "VmHWM:" && status >> value) return value;
  }
  rusage all{};
  getrusage(RUSAGE_SELF, &all);
  return static_cast<double>(all.ru_maxrss);
}

class Caller {
 public:
  explicit Caller(Body& body) : body_(body), answer_(body.call()), calls_(1) {}

  /// The seconds that so many calls take.
  double time(std::uint64_t batch) {
    bool same = true;
    const auto start = Clock::now();
    for (std::uint64_t i = 0; i < batch; ++i) same &= body_.call() == answer_;
    const double took = seconds_since(start);
    if (!same) throw std::runtime_error("two calls gave two results");
    calls_ += batch;
    return took;
  }

  std::uint64_t calls() const { return calls_; }
  std::uint64_t answer() const { return mix(answer_) ^ body_.settle(calls_); }

 private:
  Body& body_;
  std::uint64_t answer_;
  std::uint64_t calls_;
};

}  // namespace

Measurement measure(Body& body, double rest_ms, const Durations& durations,
                    ThreadCounts (*counts)()) {
  constexpr double kBatch = 50e-6;
  const std::size_t least = rest_ms > 0 ? 20 : 1;
  const auto warm_up = Clock::now();
  Caller caller(body);
  std::uint64_t batch = 1;
  while (seconds_since(warm_up) < durations.warm_up_seconds) {
    const double took = caller.time(batch);
    if (rest_ms == 0 && took < kBatch) batch *= 2;
  }

  std::vector<double> per_call;
  double seconds_in_calls = 0;
  const std::uint64_t calls_before = caller.calls();
  const Usage before = usage();
  const ThreadCounts counts_from = counts != nullptr ? counts() : ThreadCounts{kUnknown, kUnknown};
  const auto start = Clock::now();
  while (per_call.size() < least || seconds_since(start) < durations.seconds) {
    if (rest_ms > 0)
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(rest_ms));
    const double took = caller.time(batch);
    seconds_in_calls += took;
    per_call.push_back(1e9 * took / static_cast<double>(batch));
  }
  // Between calls only the caller was busy, if it was not asleep: both are no part of the calls.
  const double seconds_between = seconds_since(start) - seconds_in_calls;
  const ThreadCounts counts_to = counts != nullptr ? counts() : counts_from;
  const double busy_seconds = counts_to.busy_seconds - counts_from.busy_seconds - seconds_between;
  const Usage after = usage();
  const auto calls = static_cast<double>(caller.calls() - calls_before);
  return {{.wall_ns = median(per_call),
           .cpu_ns = 1e9 * (after.cpu_seconds - before.cpu_seconds) / calls,
           .peak_kib = peak_kib(),
           .voluntary = after.voluntary - before.voluntary,
           .involuntary = after.involuntary - before.involuntary,
           .calls = calls,
           .busy_threads =
               counts != nullptr ? std::max(0.0, busy_seconds) / seconds_in_calls : kUnknown,
           .heavy_fences = (counts_to.heavy_fences - counts_from.heavy_fences) / calls},
          caller.answer()};
}

}  // namespace bench
