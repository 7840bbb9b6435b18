// Tasks of a caller who may block until they are done: another thread begins them at once. It needs
// no other library; the one that it serves brings a mutex.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/spawn.hpp>
#include <furca/threads.hpp>

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>

namespace furca::plugs {

/// What was handed to other threads of the caller's pool and may not be over.
/// Thread-safety: any number of threads.
template <class Mutex>
class HandedTasks {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kSoon = std::chrono::microseconds(2);

 public:
  /// Waits for them.
  ~HandedTasks() {
    for (Task<void>& each : tasks_) each.join();
  }

  /// Calls f(divided), which throws nothing, on another thread that begins at once, else here.
  template <class F>
  void run(const F& f) {
    if (hand_over(f)) return;
    const auto start = Clock::now();
    detail::Relaxed<bool> divided;
    f(divided);
    patience_.write(std::clamp<Clock::duration>((Clock::now() - start) / 10, kSoon, 25 * kSoon));
  }

  /// True: another thread calls f(divided), and has begun within a tenth of what this one took for
  /// the last that it ran, but microseconds: a thread that sleeps takes some to wake up. If f soon
  /// says `divided`, it forks, and this thread helps until f is over. Where nobody begins, the next
  /// calls are not tried, twice as many each time, up to 1,023, or 3 if f takes long: a cancelled
  /// task has a place in a queue until a thread comes by.
  template <class F>
  bool hand_over(const F& f) {
    if (num_threads() == 1) return false;
    const auto patience = patience_.read();
    const std::uint32_t most = patience > kSoon ? 2 : 10;
    if (const std::uint32_t untried = std::min(untried_.read(), (1U << most) - 1); untried > 0) {
      untried_.write(untried - 1);
      return false;
    }
    std::list<Task<void>> handed(1);  // before f begins, since there may be no memory
    const auto stage = std::make_shared<Stage>();
    Task<void>& task = handed.front();
    task = spawn_task([stage, f]() noexcept {
      stage->begun.write(true);
      f(stage->divided);
      stage->divided.write(true);
    });
    if (!is_within(patience, stage->begun) && task.cancel()) {
      const std::uint32_t missed = std::min(missed_.read() + 1, most);
      missed_.write(missed);
      untried_.write((1U << missed) - 1);
      return false;
    }
    missed_.write(0);
    if (is_within(kSoon, stage->divided)) {
      task.join();
      return true;
    }
    mutex_.lock();  // nothing throws
    tasks_.remove_if([](const Task<void>& each) { return each.ready(); });
    tasks_.splice(tasks_.end(), handed);
    mutex_.unlock();
    return true;
  }

 private:
  struct Stage {
    detail::Relaxed<bool> begun;
    detail::Relaxed<bool> divided;  // or over
  };

  static bool is_within(Clock::duration time, const detail::Relaxed<bool>& word) noexcept {
    const auto end = Clock::now() + time;
    while (!word.read())
      if (Clock::now() > end) return false;
    return true;
  }

  Mutex mutex_;
  std::list<Task<void>> tasks_;
  detail::Relaxed<std::uint32_t> missed_{0};  // in a row
  detail::Relaxed<std::uint32_t> untried_{0};
  detail::Relaxed<Clock::duration> patience_{kSoon};
};

}  // namespace furca::plugs
