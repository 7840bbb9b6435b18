// scope: runs an unknown number of tasks, and returns when all are done.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/mistakes.hpp>
#include <furca/detail/observe.hpp>
#include <furca/detail/scope_state.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/injector.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace furca {

namespace detail {

/// A task of a scope: a callable in a block of the spawning worker's, or in memory of its own if it is large.
template <class F>
class ScopeTask : public LinkedJob {
 public:
  /// Throws std::bad_alloc, and what copying or moving the callable throws; the scope then has no such task.
  template <class Callable>
  static ScopeTask& make(ScopeState& scope, Worker& spawner, Callable&& callable) {
    return spawner.tasks.make<ScopeTask, std::is_nothrow_constructible_v<F, Callable>>(scope, spawner, std::forward<Callable>(callable));
  }

 private:
  friend TaskMemory;

  template <class Callable>
  ScopeTask(ScopeState& scope, Worker& spawner, Callable&& callable)
      : LinkedJob(&run_task),
        scope_(scope),
        home_(spawner.tasks),
        callable_(std::forward<Callable>(callable)),
        order_(scope.spawned(spawner)) {}

  static JobEnd run_task(Job& job, Worker& runner, bool stolen) noexcept {
    auto& self = static_cast<ScopeTask&>(job);
    ScopeState& scope = self.scope_;
    const Worker::Index level = runner.level();
    const ScopeState* const outer = stolen ? runner.serve(&scope) : nullptr;
    if (!scope.skips(self.order_)) {
      try {
        static_cast<void>(std::move(self.callable_)());
      } catch (...) {
        scope.fail(self.order_, std::current_exception());
      }
    }
    self.home_.free(self, runner.tasks);
    if (stolen) {  // all that it has left, for whatever scope: this one may be gone as soon as it has counted
      runner.take_back(level);
      runner.serve(outer);
    }
    return JobEnd::of(scope, stolen);
  }

  ScopeState& scope_;
  TaskMemory& home_;
  [[no_unique_address]] F callable_;
  ScopeState::Order order_;
};

/// A task as a strand of an observed scope, which goes on from where it was spawned.
template <class F>
struct ObservedTask {
  template <class Callable>
  ObservedTask(ObservedCall& scope, Callable&& callable) : call(scope), task(std::forward<Callable>(callable)) {
    Strand::path_to_here(from, scope);
  }

  void operator()() && {
    const Strand strand(&call, &from);
    static_cast<void>(std::move(task)());
  }

  ObservedCall& call;
  F task;
  Path from;
};

/// What Scope and ScopeFifo have in common.
class BasicScope {
 public:
  BasicScope(const BasicScope&) = delete;
  BasicScope& operator=(const BasicScope&) = delete;

  template <class... Arguments>
  void spawn(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a task of a scope is called without arguments, and moved or copied there: write s.spawn([&, x] { f(x); })");
  }

 protected:
  explicit BasicScope(Worker& owner) noexcept : state_(owner) {}
  ~BasicScope() = default;

  /// Hands a task made of `f` to publish(worker, task), or runs f here where nobody would take the task back.
  template <class F, class Publish>
  void spawn_with(F&& f, Publish publish) {
    Worker* const self = current_worker;
    if (self == nullptr || !self->takes_back() || &self->pool() != &state_.owner().pool()) [[unlikely]] {
      if (state_.observed != nullptr && self == nullptr) {
        spawn_observed(std::forward<F>(f), publish);
      } else {
        run_here(std::forward<F>(f));
      }
    } else {
      publish(*self, ScopeTask<std::decay_t<F>>::make(state_, *self, std::forward<F>(f)));
    }
  }

 private:
  template <class S, class Body>
  friend decltype(auto) run_scope(Body&& body, const SourceLocation& where);

  template <class F, class Publish>
  FURCA_COLD void spawn_observed(F&& f, Publish publish) {
    Worker* const self = Worker::if_any();
    if (self == nullptr || !self->takes_back() || &self->pool() != &state_.owner().pool()) return run_here(std::forward<F>(f));
    publish(*self, ScopeTask<ObservedTask<std::decay_t<F>>>::make(state_, *self, ObservedTask<std::decay_t<F>>(*state_.observed, std::forward<F>(f))));
  }

  template <class F>
  void run_here(F&& f) {
    const ScopeState::Order order = ScopeState::kElsewhere;
    if (state_.skips(order)) return;
    std::decay_t<F> callable(std::forward<F>(f));
    try {
      static_cast<void>(std::move(callable)());
    } catch (...) {
      state_.fail(order, std::current_exception());
    }
  }

  ScopeState state_;
};

template <class S, class Body>
decltype(auto) run_scope(Body&& body, const SourceLocation& where) {
  using Result = std::invoke_result_t<Body, S&>;
  using Value = std::conditional_t<std::is_void_v<Result>, Unit, Result>;
  Worker& self = Worker::current();
  const Observed observed = observing ? Observed(Construct::scope, where) : Observed();
  S scope(self);
  ScopeState& state = static_cast<BasicScope&>(scope).state_;
  state.observed = observed.call();
  const Worker::Index level = self.level();
  self.open_frame();
  Outcome<Value> outcome;
  outcome.fill([&]() -> Value {
    try {
      const Strand strand(state.observed);
      return detail::call(std::forward<Body>(body), scope);
    } catch (...) {
      state.fail(ScopeState::kBody, std::current_exception());
      throw;
    }
  });
  self.close_frame(level);
  if (!state.done()) self.wait(state);
  if (state.failed()) [[unlikely]] {
    outcome.discard();
    state.rethrow();
  }
  if constexpr (std::is_void_v<Result>) {
    outcome.discard();
  } else {
    return outcome.take();
  }
}

}  // namespace detail

/// What scope() passes to its body. Tasks may use it too: capture it by reference.
/// @snippet scope.cpp Scope
class Scope : public detail::BasicScope {
 public:
  /// Spawns f() as a task of this scope and returns at once. f is moved or copied into the task, and destroyed when it has run.
  ///
  /// For the scope's body, its tasks, and whatever these call, fork or loop over. Any other caller must have returned before the scope ends. Its
  /// task runs at once if the calling thread is in no call of this pool; otherwise it runs, at the latest, at the end of that call, or of the arm
  /// or task that the thread is in.
  /// Order: not specified. A thread alone runs the newest task first.
  /// Exceptions: see scope(). Throws std::bad_alloc, and what moving f throws; the task then does not exist.
  /// Cost: some 15 nanoseconds for a task that stays on its thread, about 100 more for one that is stolen. Callables of up to 80 bytes or so need
  /// no allocation.
  template <Spawnable F>
  void spawn(F&& f) {
    spawn_with(std::forward<F>(f), [](detail::Worker& self, detail::Job& task) { self.spawn(task); });
  }

  using BasicScope::spawn;

 private:
  template <class S, class Body>
  friend decltype(auto) detail::run_scope(Body&& body, const SourceLocation& where);
  using BasicScope::BasicScope;
};

/// What scope_fifo() passes to its body. As Scope, but a thread that becomes free runs the oldest task.
///
/// If a task spawns in an arm of a join, in a loop or in an inner scope, the thread may run the scope's oldest task there, on top of the one that
/// spawned. So hold no mutex that other tasks lock across a join in which you spawn, and expect the stack to grow if many tasks do so.
/// @snippet scope.cpp ScopeFifo
class ScopeFifo : public detail::BasicScope {
 public:
  /// As Scope::spawn, for some tens of nanoseconds more: all threads take tasks from one queue.
  template <Spawnable F>
  void spawn(F&& f) {
    spawn_with(std::forward<F>(f), [this](detail::Worker& self, detail::LinkedJob& task) {
      tasks_.push(task);
      self.spawn(ticket_);
    });
  }

  using BasicScope::spawn;

 private:
  template <class S, class Body>
  friend decltype(auto) detail::run_scope(Body&& body, const SourceLocation& where);
  explicit ScopeFifo(detail::Worker& owner) noexcept : BasicScope(owner), ticket_(tasks_) {}

  using Tasks = Injector<detail::LinkedJob>;

  /// What lies in the deques in the place of the tasks, once for each: whoever takes it runs the oldest one. A task is queued before
  /// its ticket is there, so there is always one.
  class Ticket : public detail::Job {
   public:
    explicit Ticket(Tasks& tasks) noexcept : Job(&run_oldest), tasks_(tasks) {}

   private:
    static detail::JobEnd run_oldest(Job& job, detail::Worker& runner, bool stolen) noexcept {
      Tasks& tasks = static_cast<Ticket&>(job).tasks_;
      detail::LinkedJob* task = nullptr;
      while ((task = tasks.pop()) == nullptr) detail::Atomics::yield();  // another thread has its turn
      return task->run(runner, stolen);
    }

    Tasks& tasks_;
  };

  Tasks tasks_;
  Ticket ticket_;
};

/// Calls body(s) with a furca::Scope& s, waits for all tasks spawned in s, and returns what body returned.
///
///   furca::scope([&](furca::Scope& s) {
///     for (Node* child : node.children) s.spawn([&, child] { visit(*child, s); });
///   });
///
/// The body runs on the calling thread. Tasks may use whatever is alive around the call. While it waits, the calling thread runs only tasks of this
/// scope and what they fork and spawn (see WaitPolicy).
/// Exceptions: of those that were thrown, the first in this order: the body's; then those of tasks, in order of spawning, tasks spawned by the calling
/// thread before those spawned by other threads. For tasks spawned by the body this is program order; between tasks spawned by different threads
/// it is not specified. Later tasks that have not begun are skipped; scope waits for those that have.
/// Throws std::bad_alloc itself only at an outside thread's first call.
/// Order: a pool of one runs the body and then the tasks, newest first. Tasks that an arm of a join, a loop's body or an inner scope spawns into an outer
/// scope may run before that arm, loop or scope returns, on top of its stack: spawn long chains of tasks outside of them.
/// Cost: some tens of nanoseconds plus its tasks. Span: the longest chain of tasks, each counted from where it was spawned.
/// Thread-safety: any thread, at any depth.
/// @snippet scope.cpp scope
template <std::invocable<Scope&> Body>
decltype(auto) scope(Body&& body, const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<Scope>(std::forward<Body>(body), where);
}

/// As scope(), but tasks start in the order in which they were spawned, as threads become free. A pool of one runs the body and then the tasks,
/// oldest first. It is for fairness: scope() is faster, and uses less memory where tasks spawn tasks.
/// @snippet scope.cpp scope_fifo
template <std::invocable<ScopeFifo&> Body>
decltype(auto) scope_fifo(Body&& body, const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<ScopeFifo>(std::forward<Body>(body), where);
}

}  // namespace furca
