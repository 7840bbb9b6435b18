// The thread for tasks of a pool of one.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/relaxed.hpp>

#include "../system/thread.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace furca::detail {

class Worker;
class Pool;

/// It does not run until the first task is spawned. It is a guest that stays: it has a number like
/// an outside thread, and steals no forks.
/// It sits in the pool's seat (Seats), so no other thread runs tasks.
///
/// Invariants:
/// - the state is none, starting or started; only the thread that has set it to starting touches
///   the task thread, until it sets another state; started is for ever;
/// - there is a worker whenever the state is started by need(), and it stays the same.
/// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a pool of one"),
/// tests/tasks/spawn_test.cpp ("a pool of one: one thread beside the caller")
class TaskThread {
 public:
  explicit TaskThread(Pool& pool) noexcept : pool_(pool) {}
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  /// Any thread: starts it, if it does not run yet. Throws std::system_error, std::bad_alloc.
  void need();

  /// Its place, once it was needed; else null.
  Worker* worker() const noexcept { return worker_.read(); }

  /// Once no other thread can call need().
  void join() noexcept {
    if (thread_) thread_->join();
  }

  /// From here on no thread starts it. Calls end(worker, thread) if one has.
  template <class End>
  void retire(End end) noexcept {
    State none = State::none;
    // [task_thread.Q2], on failure [task_thread.Q4]
    while (!state_.compare_exchange_weak(none, State::started, std::memory_order_acquire,
                                         std::memory_order_acquire)) {
      if (none == State::started) {
        if (thread_) end(*worker(), *thread_);
        return;
      }
      none = State::none;
      Atomics::yield();
    }
  }

 private:
  enum class State : std::uint32_t { none, starting, started };

  Pool& pool_;
  Atomics::Atomic<State> state_{State::none};
  std::optional<Thread> thread_;
  SeamRelaxed<Worker*> worker_{nullptr};  // set once
};

}  // namespace furca::detail
