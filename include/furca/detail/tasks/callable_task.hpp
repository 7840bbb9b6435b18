// A spawned task with a handle: Task<T> (spawn.hpp) is the handle.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/result.hpp>
#include <furca/detail/tasks/shared_task.hpp>
#include <furca/thread_pool.hpp>

#include <optional>

namespace furca::detail {

/// The state that a Task<T> shares with the thread that runs the task, and what the handle can do
/// with it.
template <class T>
class TaskState : public SharedTask {
 public:
  /// Returns when there is a result; runs the task here if it has not begun. Throws std::bad_alloc,
  /// and has done nothing then.
  virtual void finish() = 0;
  /// True: the task had not begun, and never will; the handle has left then.
  virtual bool cancel() noexcept = 0;

  Result<T> result;

 protected:
  using SharedTask::SharedTask;
  ~TaskState() = default;
};

/// A callable with a handle.
template <class F>
class CallableTask final : public TaskState<std::invoke_result_t<F>> {
 public:
  template <class Callable>
  CallableTask(Pool& pool, Callable&& callable)
      : TaskState<std::invoke_result_t<F>>(pool, 2),
        callable_(std::in_place, std::forward<Callable>(callable)) {}

  bool over() const noexcept override { return done_here_ || this->latch_.is_set(); }

  void finish() override {
    if (over()) return;
    Pool& pool = this->pool();
    const Visit visit(pool);
    Worker& self = Worker::current();
    {
      const Seated seated(*this);
      if (over()) return;
      count_begin(pool);  // who takes it from the queue counts as well, but only that it is gone
      if (this->claim()) {
        const RunningTask running(self);
        done_here_ = run_content();
      }
      count_end(pool);
    }
    if (!done_here_) self.wait(this->latch_);
  }

  bool cancel() noexcept override {
    if (!this->claim()) return false;
    this->drop_content();
    return true;
  }

 private:
  bool run_content() noexcept override {
    this->result.fill(std::move(*callable_));
    callable_.reset();
    return true;
  }

  void destroy_content() noexcept override {
    std::destroy_at(&callable_);
    std::destroy_at(&this->result);
  }

  bool done_here_ = false;  // the handle's
  std::optional<F> callable_;
};

}  // namespace furca::detail
