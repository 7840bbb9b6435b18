// scope: tasks whose number is not known beforehand, all done when it returns.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/basic_scope.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/injector.hpp>

#include <concepts>
#include <utility>

namespace furca {

/// Given to the body of scope(); its tasks may use it too: capture it by reference.
/// @snippet scope.cpp Scope
class Scope : public detail::BasicScope {
 public:
  /// Starts f() as a task of this scope; returns at once. f is moved or copied into the task, and destroyed when it has run.
  ///
  /// For the scope's body, for its tasks, and for what these call, fork or loop over. Who spawns from elsewhere must have returned before the
  /// scope ends, and gets less: the task runs on the spot if the thread is in no call of this pool, and else at the end of that call, or of
  /// the arm or task that the thread is in, at the latest.
  /// The order in which tasks run is not specified; one thread alone takes the newest first.
  /// Exceptions: see scope(). Throws std::bad_alloc, and what moving f throws; there is no such task then.
  /// Cost: some 15 nanoseconds for the whole life of a task that stays on its thread, about 100 more for one that is stolen; callables of up
  /// to 80 bytes or so are kept without an allocation.
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

/// Given to the body of scope_fifo(). As Scope, but the oldest task runs next, wherever a thread becomes free for one.
///
/// A task that has spawned in an arm of a join, in a loop or in an inner scope makes way there for the oldest task, whichever that is. So hold
/// no mutex that other tasks want across a join in which you spawn, and mind the stack if many tasks do so: each may run on top of another.
/// @snippet scope.cpp ScopeFifo
class ScopeFifo : public detail::BasicScope {
 public:
  /// As Scope::spawn. Costs some tens of nanoseconds more: all threads take from one queue.
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

/// Calls body(s) with a furca::Scope& s, and returns what it returns when the body and all tasks that were spawned in s have ended.
///
///   furca::scope([&](furca::Scope& s) {
///     for (Node* child : node.children) s.spawn([&, child] { visit(*child, s); });
///   });
///
/// The body runs on the calling thread; its tasks, and the tasks of these, may use what is alive around the call. While it waits, this
/// thread runs the scope's own tasks, and what they fork and spawn, and nothing else (see WaitPolicy).
/// Exceptions: the body comes first, then the tasks in the order in which they were spawned: those that this thread spawns, and then those that
/// others spawn. What is thrown is what the first of those that threw has thrown. For tasks that the body spawns this is the order of the
/// program; between tasks that different threads spawn it is not specified. Tasks that come later and have not begun are skipped; those that
/// have are waited for.
/// A pool of one runs the body and then the tasks, the newest first. What an arm of a join, a loop's body or an inner scope has spawned into an
/// outer scope may run before these return, on top of them: for long chains of tasks spawn outside of them.
/// Cost: some tens of nanoseconds, and those of its tasks. Span: the longest chain of tasks, each from where the one before spawned it.
/// Throws std::bad_alloc of its own only when an outside thread calls in for the first time.
/// Thread-safety: any thread, at any depth.
/// @snippet scope.cpp scope
template <std::invocable<Scope&> Body>
decltype(auto) scope(Body&& body, const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<Scope>(std::forward<Body>(body), where);
}

/// The same for tasks that want to be run in the order in which they were spawned, as far as there are threads free: a pool of one runs the
/// body and then the tasks, the oldest first. For fairness; scope() is faster, and takes less memory where tasks spawn tasks.
/// @snippet scope.cpp scope_fifo
template <std::invocable<ScopeFifo&> Body>
decltype(auto) scope_fifo(Body&& body, const SourceLocation where = SourceLocation::current()) {
  return detail::run_scope<ScopeFifo>(std::forward<Body>(body), where);
}

}  // namespace furca
