// What threads take from the machine when the work has just ended: they look for more, and fall
// asleep.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#include <mutex>
#include <thread>

#include <pthread.h>

namespace bench {
namespace {

constexpr int kEnds = 30;
constexpr auto kRest =
    std::chrono::milliseconds(20);  // spinning is over by then; probes/idle.cpp has what remains

/// Processor time of the threads that have run an iteration, the calling one not among them. Read
/// from each thread's own clock: the clock of the process may know of another thread's time only up
/// to the last tick.
class OtherThreads {
 public:
  void note() {
    thread_local bool noted = false;
    if (noted || pthread_equal(pthread_self(), caller_) != 0) return;
    noted = true;
    clockid_t clock{};
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0) return;
    const std::lock_guard lock(mutex_);
    clocks_.push_back(clock);
  }

  double us() const {
    double sum = 0;
    for (const clockid_t clock : clocks_) {
      std::timespec now{};
      clock_gettime(clock, &now);
      sum += 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
    }
    return sum;
  }

  bool empty() const { return clocks_.empty(); }
  double count() const { return static_cast<double>(clocks_.size()); }

 private:
  pthread_t caller_ = pthread_self();
  std::mutex mutex_;
  std::vector<clockid_t> clocks_;
};

template <class C>
double burnt_after_work(unsigned threads) {
  std::vector<double> us;
  C::kContender.enter(threads, [&us] {
    OtherThreads others;
    std::vector<std::uint64_t> out(1000);
    for (int i = 0; i < kEnds; ++i) {
      C::loop(out.size(), [&](std::size_t k) {
        others.note();
        out[k] += busy_work(k, 2500);
      });
      if (others.empty()) continue;
      const double before = others.us();
      std::this_thread::sleep_for(kRest);
      us.push_back((others.us() - before) / others.count());
    }
  });
  return median(us);
}

const ProbeRegistration kAfterWork(kLoopFamilies, []<class C>() {
  return Probe{
      .group = Group::behaviour,
      .name = "burnt after work",
      .family = C::kContender.family,
      .variant = "",
      .unit = "us",
      .summary = "processor time that each thread but the caller's takes in the 20 ms after a loop",
      .measure = &burnt_after_work<C>,
      .slow = true,
      .least = Effort::full};
});

}  // namespace
}  // namespace bench
