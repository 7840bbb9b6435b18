// A task that is spawned in a scope.
#pragma once

#include <furca/detail/fork/task_memory.hpp>
#include <furca/detail/observing/observe.hpp>
#include <furca/detail/observing/path.hpp>
#include <furca/detail/tasks/scope_state.hpp>

#include <exception>

namespace furca::detail {

/// A task of a scope: a callable in a block of the spawning worker's, or in memory of its own if it
/// is large.
template <class F>
class ScopeTask : public LinkedJob {
 public:
  /// Throws std::bad_alloc, and what copying or moving the callable throws; the scope then has no
  /// such task.
  template <class Callable>
  static ScopeTask& make(ScopeState& scope, Worker& spawner, Callable&& callable) {
    return spawner.task_memory.make<ScopeTask, std::is_nothrow_constructible_v<F, Callable>>(
        scope, spawner, std::forward<Callable>(callable));
  }

 private:
  friend TaskMemory;

  template <class Callable>
  ScopeTask(ScopeState& scope, Worker& spawner, Callable&& callable)
      : LinkedJob(&run_task),
        scope_(scope),
        home_(spawner.task_memory),
        callable_(std::forward<Callable>(callable)),
        order_(scope.spawned(spawner)) {}

  static JobEnd run_task(Job& job, Worker& runner, bool on_empty_deque) noexcept {
    auto& self = static_cast<ScopeTask&>(job);
    ScopeState& scope = self.scope_;
    const Worker::Index end = runner.deque().end();
    ScopeState* const outer = on_empty_deque ? ScopeState::serve_on(runner, &scope) : nullptr;
    if (on_empty_deque) scope.publish_all(runner, self.next);
    if (!scope.skips(self.order_)) {
      try {
        static_cast<void>(std::move(self.callable_)());
      } catch (...) {
        scope.fail(self.order_, std::current_exception());
      }
    }
    self.home_.free(self, runner.task_memory);
    // all that it has left, for whatever scope: this one may be gone as soon as it has counted
    if (on_empty_deque) {
      runner.run_spawned(end);
      ScopeState::serve_on(runner, outer);
    }
    return scope.end_of_task(on_empty_deque);
  }

  ScopeState& scope_;
  TaskMemory& home_;
  FURCA_NO_UNIQUE_ADDRESS F callable_;
  ScopeState::Order order_;
};

/// A task as a strand of an observed scope, which goes on from where it was spawned.
template <class F>
struct ObservedTask {
  template <class Callable>
  ObservedTask(ObservedCall& scope, Callable&& callable)
      : call(scope), task(std::forward<Callable>(callable)) {
    detail::path_to_here(from, scope);
  }

  void operator()() && {
    const Strand strand(&call, &from);
    static_cast<void>(std::move(task)());
  }

  ObservedCall& call;
  F task;
  Path from;
};

}  // namespace furca::detail
