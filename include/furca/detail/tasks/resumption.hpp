// A suspended coroutine in a pool: it goes on when the pool comes to it, or when a task has ended.
#pragma once

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/spawn.hpp>

#include <coroutine>

namespace furca::detail {

/// A suspended coroutine as a job of a pool, which resumes it. Lies in the coroutine's frame, and
/// so allocates nothing.
class Resumption : public LinkedJob {
 public:
  Resumption() noexcept : LinkedJob(&run_task) {}

 protected:
  ~Resumption() = default;
  std::coroutine_handle<> coroutine_;

 private:
  static JobEnd run_task(Job& job, Worker& runner, bool) noexcept {
    const RunningTask running(runner);
    static_cast<Resumption&>(job).coroutine_.resume();
    return JobEnd::of_detached();
  }
};

/// co_await pool.schedule().
class Schedule : public Resumption {
 public:
  explicit Schedule(Pool& pool) noexcept : pool_(pool) {}

  bool await_ready() const noexcept { return false; }

  /// Once it is posted the coroutine may run, and end, elsewhere.
  void await_suspend(std::coroutine_handle<> coroutine) {
    coroutine_ = coroutine;
    need_task_thread(pool_);
    post_last(pool_, *this);
  }

  void await_resume() const noexcept {}

 private:
  Pool& pool_;
};

/// co_await of a Task.
template <class T>
class TaskAwaiter : public Resumption {
 public:
  explicit TaskAwaiter(Task<T>&& task) : task_(std::move(task)) {}

  bool await_ready() const { return task_.ready(); }

  /// Once the task knows of it the coroutine may run, and end, elsewhere.
  bool await_suspend(std::coroutine_handle<> coroutine) noexcept {
    coroutine_ = coroutine;
    return task_.state_->continue_with(*this);
  }

  T await_resume() { return task_.join(); }

 private:
  Task<T> task_;
};

}  // namespace furca::detail
