// The way of a callable into a pool, with a handle or without.
#pragma once

#include <furca/detail/tasks/callable_task.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/spawned_task.hpp>

namespace furca {

template <class T>
class Task;

namespace detail {

/// The way of a task into a pool. Other things than callables: coroutine_task.hpp.
template <class F>
struct Spawning {
  using Value = std::invoke_result_t<F>;

  template <class Callable>
  static void spawn(Pool& pool, Callable&& callable) {
    Worker* const self = worker_inside(pool);
    if (self == nullptr || self->alone()) [[unlikely]]
      need_task_thread(pool);
    auto& task = SpawnedTask<F>::make(self != nullptr ? &self->task_memory : nullptr,
                                      std::forward<Callable>(callable));
    if (self != nullptr) {
      detail::post(*self, task, Turn::next);
    } else {
      detail::post(pool, task);
    }
  }

  template <class Callable>
  static Task<Value> spawn_task(Pool& pool, Callable&& callable) {
    need_task_thread(pool);
    auto& task = SharedTask::make<CallableTask<F>>(pool, std::forward<Callable>(callable));
    if (Worker* const self = worker_inside(pool)) {
      detail::post(*self, task, Turn::next);
    } else {
      detail::post(pool, task);
    }
    return Task<Value>(task);
  }
};

}  // namespace detail

}  // namespace furca
