// Tasks of a caller who may block until they are done: another thread begins them at once. It needs
// no other library; the one that it serves brings a mutex.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/spawn.hpp>
#include <furca/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>

namespace furca::plugs {

/// What was handed to other threads of the caller's pool and may not be over.
/// Thread-safety: any number of threads.
template <class Mutex>
class HandedTasks {
 public:
  HandedTasks() = default;
  /// Waits for them.
  ~HandedTasks() {
    for (Task<void>& each : tasks_) each.join();
  }
  HandedTasks(const HandedTasks&) = delete;
  HandedTasks& operator=(const HandedTasks&) = delete;

  /// Another thread calls f(divided), and begins within microseconds. Else false: f is not called.
  /// If f soon says `divided`, it forks, and this thread helps until f is over. Where nobody has
  /// begun, the next calls are not tried, twice as many each time, up to 1,023: a cancelled task
  /// has a place in a queue until a thread comes by.
  /// What f throws ends the program.
  template <class F>
  bool hand_over(const F& f) {
    if (num_threads() == 1) return false;
    if (const std::uint32_t untried = untried_.read(); untried > 0) {
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
    if (!is_soon(stage->begun) && task.cancel()) {
      const std::uint32_t missed = std::min(missed_.read() + 1, 10U);
      missed_.write(missed);
      untried_.write((1U << missed) - 1);
      return false;
    }
    missed_.write(0);
    if (is_soon(stage->divided)) {
      task.join();
      return true;
    }
    const Locked locked(mutex_);
    tasks_.remove_if([](const Task<void>& each) { return each.ready(); });
    tasks_.splice(tasks_.end(), handed);
    return true;
  }

 private:
  struct Stage {
    detail::Relaxed<bool> begun;
    detail::Relaxed<bool> divided;  // or over
  };

  struct Locked {
    explicit Locked(Mutex& its) : mutex(its) { mutex.lock(); }
    ~Locked() { mutex.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    Mutex& mutex;
  };

  /// Now, or within two microseconds.
  static bool is_soon(const detail::Relaxed<bool>& word) noexcept {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::microseconds(2);
    while (!word.read())
      if (Clock::now() > end) return false;
    return true;
  }

  Mutex mutex_;
  std::list<Task<void>> tasks_;
  detail::Relaxed<std::uint32_t> missed_{0};  // in a row
  detail::Relaxed<std::uint32_t> untried_{0};
};

}  // namespace furca::plugs
