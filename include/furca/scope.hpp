// scope: tasks whose number is not known beforehand, all done when it returns.
#pragma once

#if __cplusplus < 202002L
#error "furca needs C++20: compile with -std=c++20 (Meson: cpp_std=c++20)"
#endif

#include <furca/detail/scope_state.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace furca {

/// Something that a scope can spawn: callable once, without arguments. What it returns is dropped.
template <class F>
concept Spawnable = std::invocable<std::decay_t<F>> && std::constructible_from<std::decay_t<F>, F>;

namespace detail {

/// A task of a scope: a callable in a block of the spawning worker's, or in memory of its own if it is large.
template <class F>
class ScopeTask : public Job {
 public:
  /// Throws std::bad_alloc, and what copying or moving the callable throws; the scope then has no such task.
  template <class Callable>
  static ScopeTask& make(ScopeState& scope, TaskMemory& blocks, Callable&& callable) {
    if constexpr (fits()) {
      void* const memory = blocks.take();
      if constexpr (std::is_nothrow_constructible_v<F, Callable>) {
        return *::new (memory) ScopeTask(scope, blocks, std::forward<Callable>(callable));
      } else {
        try {
          return *::new (memory) ScopeTask(scope, blocks, std::forward<Callable>(callable));
        } catch (...) {
          blocks.give_back(memory, blocks);
          throw;
        }
      }
    } else {
      return *new ScopeTask(scope, blocks, std::forward<Callable>(callable));
    }
  }

 private:
  template <class Callable>
  ScopeTask(ScopeState& scope, TaskMemory& home, Callable&& callable)
      : Job(&run_task), scope_(scope), home_(home), callable_(std::forward<Callable>(callable)), order_(scope.spawned()) {}

  static void run_task(Job& job, Worker& runner, bool stolen) noexcept {
    auto& self = static_cast<ScopeTask&>(job);
    ScopeState& scope = self.scope_;
    if (stolen) runner.serve(scope);
    if (!scope.skips(self.order_)) {
      try {
        std::move(self.callable_)();
      } catch (...) {
        scope.fail(self.order_, std::current_exception());
      }
    }
    self.free(runner);
    runner.leave_job();
    scope.ended();
  }

  void free(Worker& runner) noexcept {
    if constexpr (fits()) {
      TaskMemory& home = home_;
      std::destroy_at(this);
      home.give_back(this, runner.tasks);
    } else {
      delete this;
    }
  }

  static consteval bool fits() { return sizeof(ScopeTask) <= TaskMemory::kBlockSize && alignof(ScopeTask) <= TaskMemory::kBlockAlignment; }

  ScopeState& scope_;
  TaskMemory& home_;
  [[no_unique_address]] F callable_;
  ScopeState::Order order_;
};

}  // namespace detail

/// Given to the body of scope(); its tasks may use it too. Copies cannot be made: capture it by reference.
class Scope {
 public:
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Starts f() as a task of this scope; returns at once. f is moved or copied into the task, and destroyed when it has run.
  ///
  /// From the scope's body, from its tasks, and from what these call, fork or loop over; another thread's calls are run on the spot.
  /// The order in which tasks run is not specified; one thread alone takes the newest first.
  /// Exceptions: see scope(). Throws std::bad_alloc, and what moving f throws; there is no such task then.
  /// Cost: some 30 nanoseconds for the task's whole life; small callables are kept without an allocation.
  template <Spawnable F>
  void spawn(F&& f) {
    detail::Worker& self = detail::Worker::current();
    if (!self.takes_back() || &self.pool() != &state_.owner().pool()) [[unlikely]] {
      run_here(f);
      return;
    }
    self.spawn(detail::ScopeTask<std::decay_t<F>>::make(state_, self.tasks, std::forward<F>(f)));
  }

 private:
  template <class Body>
  friend decltype(auto) scope(Body&& body);

  explicit Scope(detail::Worker& owner) noexcept : state_(owner) {}

  template <class F>
  void run_here(F& f) {
    const detail::ScopeState::Order order = state_.spawned();
    if (!state_.skips(order)) {
      try {
        std::decay_t<F>(std::forward<F>(f))();
      } catch (...) {
        state_.fail(order, std::current_exception());
      }
    }
    state_.ended();
  }

  detail::ScopeState state_;
};

/// Calls body(s) with a furca::Scope& s, and returns what it returns when the body and all tasks that were spawned in s have ended.
///
///   furca::scope([&](furca::Scope& s) {
///     for (Node* child : node.children) s.spawn([&, child] { visit(*child, s); });
///   });
///
/// The body runs on the calling thread; its tasks, and the tasks of these, may use what is alive around the call. While it waits, this
/// thread runs the scope's own tasks, and what they fork and spawn, and nothing else (see WaitPolicy).
/// Exceptions: the body comes first, then the tasks in the order in which they were spawned; what is thrown is what the first of those that
/// threw has thrown. For tasks that one function spawns this is the order of the program; for tasks that several threads spawn at the same
/// time, that of the clock. Tasks that come later and have not begun are skipped; those that have are waited for.
/// A pool of one runs the body and then the tasks, the newest first.
/// Cost: some tens of nanoseconds, and those of its tasks. Span: the longest chain of tasks, each from where the one before spawned it.
/// Throws std::bad_alloc of its own only when an outside thread calls in for the first time.
/// Thread-safety: any thread, at any depth.
template <class Body>
decltype(auto) scope(Body&& body) {
  static_assert(std::invocable<Body, Scope&>, "furca: the body of scope() is called with a furca::Scope&");
  using Result = std::invoke_result_t<Body, Scope&>;
  using Value = std::conditional_t<std::is_void_v<Result>, detail::Unit, Result>;
  detail::Worker& self = detail::Worker::current();
  Scope s(self);
  const detail::Worker::Index level = self.level();
  self.open_frame();
  detail::Outcome<Value> outcome;
  outcome.fill([&]() -> Value {
    try {
      return detail::call(std::forward<Body>(body), s);
    } catch (...) {
      s.state_.fail(detail::ScopeState::kBody, std::current_exception());
      throw;
    }
  });
  self.close_frame(level);
  if (!s.state_.done()) self.wait(s.state_);
  if (s.state_.failed()) [[unlikely]] {
    outcome.discard();
    s.state_.rethrow();
  }
  if constexpr (std::is_void_v<Result>) {
    outcome.discard();
  } else {
    return outcome.take();
  }
}

}  // namespace furca
