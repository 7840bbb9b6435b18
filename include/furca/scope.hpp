// scope: runs an unknown number of tasks, and returns when all are done.
#pragma once

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/tasks/basic_scope.hpp>
#include <furca/injector.hpp>
#include <furca/options.hpp>
#include <furca/spawnable.hpp>

#include <concepts>

FURCA_DECLARES(scope);

namespace furca::found_by_name {
#define FURCA_SCOPE(name, type)                          \
  "write " #name "([&](furca::" #type                    \
  "& s) { s.spawn([&] { work(); }); }), and its option " \
  "behind it in braces: {.stop = token}"
FURCA_SAYS_OF_OPTIONS(auto, scope, FURCA_SCOPE(scope, Scope))
FURCA_SAYS_OF_OPTIONS(auto, scope_fifo, FURCA_SCOPE(scope_fifo, ScopeFifo))
#undef FURCA_SCOPE
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::scope;
using found_by_name::scope_fifo;

/// What scope() passes to its body. Tasks may use it too: capture it by reference.
class Scope : public detail::BasicScope {
 public:
  /// Spawns f() as a task of this scope and returns at once. f is moved or copied into the task,
  /// and destroyed when it has run.
  ///
  /// For the scope's body, its tasks, and whatever these call, fork or loop over. Any other caller
  /// must have returned before the scope ends. Its task runs at once if the calling thread is in no
  /// call of this pool; otherwise it runs, at the latest, at the end of that call, or of the arm or
  /// task that the thread is in.
  /// Order: not specified. A thread alone runs the newest task first.
  /// Exceptions: see scope(). Throws std::bad_alloc, and what moving f throws; the task then does
  /// not exist.
  /// Cost: some 15 nanoseconds for a task that stays on its thread, about 100 more for one that is
  /// stolen. Callables of up to 80 bytes or so need no allocation.
  template <Spawnable F>
  void spawn(F&& f) {
    spawn_with(std::forward<F>(f),
               [](detail::Worker& self, detail::LinkedJob& task, const detail::ScopeState& scope) {
                 scope.publish(self, task);
               });
  }

  using BasicScope::spawn;

 private:
  template <class S, class Body>
  friend decltype(auto) detail::run_scope(Body&& body, const ScopeOptions& options,
                                          const SourceLocation& where);
  using BasicScope::BasicScope;
};

/// What scope_fifo() passes to its body. As Scope, but a thread that becomes free runs the oldest
/// task.
///
/// If a task spawns in an arm of a join, in a loop or in an inner scope, the thread may run the
/// scope's oldest task there, on top of the one that spawned. So hold no mutex that other tasks
/// lock across a join in which you spawn, and expect the stack to grow if many tasks do so.
class ScopeFifo : public detail::BasicScope {
 public:
  /// As Scope::spawn, for some tens of nanoseconds more: all threads take tasks from one queue.
  template <Spawnable F>
  void spawn(F&& f) {
    spawn_with(std::forward<F>(f),
               [this](detail::Worker& self, detail::LinkedJob& task, const detail::ScopeState&) {
                 tasks_.push(task);
                 self.spawn(ticket_);
               });
  }

  using BasicScope::spawn;

 private:
  template <class S, class Body>
  friend decltype(auto) detail::run_scope(Body&& body, const ScopeOptions& options,
                                          const SourceLocation& where);
  explicit ScopeFifo(detail::Worker& owner) noexcept : BasicScope(owner), ticket_(tasks_) {}

  using Tasks = Injector<detail::LinkedJob>;

  /// What lies in the deques in the place of the tasks, once for each: the thread that gets it
  /// runs the oldest one. A task is queued before its ticket is there, so there is always one.
  class Ticket : public detail::Job {
   public:
    explicit Ticket(Tasks& tasks) noexcept : Job(&run_oldest), tasks_(tasks) {}

   private:
    static detail::JobEnd run_oldest(Job& job, detail::Worker& runner,
                                     bool on_empty_deque) noexcept {
      Tasks& tasks = static_cast<Ticket&>(job).tasks_;
      detail::LinkedJob* task = nullptr;
      // another thread has its turn
      while ((task = tasks.pop()) == nullptr) detail::Atomics::yield();
      return task->run(runner, on_empty_deque);
    }

    Tasks& tasks_;
  };

  Tasks tasks_;
  Ticket ticket_;
};

/// Calls body(s) with a furca::Scope& s, waits for all tasks spawned in s, and returns what body
/// returned.
///
///   furca::scope([&](furca::Scope& s) {
///     for (Node* child : node.children) s.spawn([&, child] { visit(*child, s); });
///   });
///
/// The body runs on the calling thread. Tasks may use whatever is alive around the call. While it
/// waits, the calling thread runs only tasks of this scope and what they fork and spawn (see
/// WaitPolicy).
/// Exceptions: of those that were thrown, the first in this order: the body's; then those of tasks,
/// in order of spawning, tasks spawned by the calling thread before those spawned by other threads.
/// For tasks spawned by the body this is program order; between tasks spawned by different threads
/// it is not specified. Later tasks that have not begun are skipped; scope waits for those that
/// have. So it does after a stop (ScopeOptions).
/// Throws std::bad_alloc itself only at an outside thread's first call.
/// Order: a pool of one runs the body and then the tasks, newest first. Tasks that an arm of a
/// join, a loop's body or an inner scope spawns into an outer scope may run before that arm, loop
/// or scope returns, on top of its stack: spawn long chains of tasks outside of them.
/// Cost: some tens of nanoseconds plus its tasks. Span: the longest chain of tasks, each counted
/// from where it was spawned.
/// Thread-safety: any thread, at any depth.
template <std::invocable<Scope&> Body>
decltype(auto) scope(Body&& body, const ScopeOptions& options = {},
                     const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<Scope>(std::forward<Body>(body), options, where);
}

/// As scope(), but tasks start in the order in which they were spawned, as threads become free. A
/// pool of one runs the body and then the tasks, oldest first. It is for fairness: scope() is
/// faster, and uses less memory where tasks spawn tasks.
template <std::invocable<ScopeFifo&> Body>
decltype(auto) scope_fifo(Body&& body, const ScopeOptions& options = {},
                          const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<ScopeFifo>(std::forward<Body>(body), options, where);
}

}  // namespace furca
