// A spawned task without a handle.
#pragma once

#include <furca/detail/fork/task_memory.hpp>
#include <furca/detail/tasks/pool_door.hpp>

#include <exception>

namespace furca::detail {

/// A detached task: a callable in a block of the spawning worker's, or in memory of its own.
template <class F>
class SpawnedTask : public LinkedJob {
 public:
  /// Throws std::bad_alloc, and what copying or moving the callable throws.
  template <class Callable>
  static SpawnedTask& make(TaskMemory* blocks, Callable&& callable) {
    if (blocks == nullptr) return *new SpawnedTask(nullptr, std::forward<Callable>(callable));
    return blocks->make<SpawnedTask, std::is_nothrow_constructible_v<F, Callable>>(
        blocks, std::forward<Callable>(callable));
  }

 private:
  friend TaskMemory;

  template <class Callable>
  SpawnedTask(TaskMemory* home, Callable&& callable)
      : LinkedJob(&run_task), home_(home), callable_(std::forward<Callable>(callable)) {}

  static JobEnd run_task(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<SpawnedTask&>(job);
    const RunningTask running(runner);
    try {
      static_cast<void>(std::move(self.callable_)());
    } catch (...) {
      report(runner.pool(), std::current_exception());
    }
    if (self.home_ == nullptr) {
      delete &self;
    } else {
      self.home_->free(self, runner.task_memory);
    }
    return JobEnd::of_detached();
  }

  TaskMemory* home_;
  FURCA_NO_UNIQUE_ADDRESS F callable_;
};

}  // namespace furca::detail
