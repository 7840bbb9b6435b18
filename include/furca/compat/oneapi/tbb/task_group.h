// tbb::task_group: tasks that are started one by one, from any thread, and waited for and cancelled
// together.
// Checked by: tests/compat/tasks_test.cpp ("an exception leaves wait(), and the group can be used
// again"), by ThreadSanitizer
#pragma once

#include "detail/contexts.h"
#include "detail/exceptions.h"
#include "detail/observers.h"
#include "detail/pools.h"
#include "profiling.h"

#include <furca/detail/tbb/open_tasks.hpp>

#include <atomic>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb {

/// What task_group::wait() returns.
enum task_group_status { not_complete, complete, canceled };

class task_group;

namespace detail {

/// What waits on this thread may run: null, anything (this_task_arena::isolate).
FURCA_API inline constinit thread_local furca::detail::OpenTasks::Isolation isolation{nullptr, 0};

/// From here to the end of the block, they may run only what is started on this thread.
class Isolated {
 public:
  /// Throws std::bad_alloc at an outside thread's first call.
  Isolated() {
    furca::detail::Worker& self = furca::detail::Worker::current();
    isolation = {&self, self.deque().end()};
  }
  ~Isolated() { isolation = before_; }
  Isolated(const Isolated&) = delete;
  Isolated& operator=(const Isolated&) = delete;

 private:
  const furca::detail::OpenTasks::Isolation before_ = isolation;
};

}  // namespace detail

/// A task that task_group::defer() has made. The group waits for it: it is run, or destroyed.
class task_handle {
 public:
  task_handle() = default;
  task_handle(task_handle&& other) noexcept
      : task_(std::exchange(other.task_, nullptr)), group_(other.group_) {}
  task_handle& operator=(task_handle&& other) noexcept {
    task_handle(std::move(other)).swap(*this);
    return *this;
  }
  /// A task that was not run is never run.
  ~task_handle() {
    if (task_ != nullptr) task_->drop();
  }

  /// It has a task.
  explicit operator bool() const noexcept { return task_ != nullptr; }

  friend bool operator==(const task_handle& handle, std::nullptr_t) noexcept {
    return handle.task_ == nullptr;
  }

 private:
  friend class task_group;
  friend class task_arena;
  task_handle(furca::detail::OpenTask& task, const task_group& group) noexcept
      : task_(&task), group_(&group) {}

  void swap(task_handle& other) noexcept {
    std::swap(task_, other.task_);
    std::swap(group_, other.group_);
  }

  furca::detail::OpenTask* task_ = nullptr;
  const task_group* group_ = nullptr;
};

/// As oneTBB's. A task that is not stolen runs on the thread that started it, in wait(), newest
/// first. In wait() a thread also runs other work of its pool, on top of what it waits in, unless
/// it is isolated: hold no mutex there that tasks lock.
/// Thread-safety: any thread may start tasks, cancel and wait, several at once; the constructor and
/// destructor are for one.
class task_group {
 public:
  task_group()
      : context_(own_.emplace(task_group_context::bound, task_group_context::concurrent_wait)) {}

  /// With a context of the user's: whoever cancels that cancels the tasks.
  explicit(false) task_group(task_group_context& context) : context_(context) {}

  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Throws missing_wait if there are tasks left, unless an exception is on its way, after it has
  /// cancelled and waited for them.
  ~task_group() noexcept(false) {
    if (tasks_.done()) return;
    const bool unwinding = std::uncaught_exceptions() > 0;
    cancel();
    wait_for_tasks();
    if (!unwinding) throw missing_wait();
  }

  /// Starts f(), and returns at once. Throws std::bad_alloc, and what copying f throws.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  void run(F&& f) {
    context_.bind();
    tasks_.spawn(Task<std::decay_t<F>>(*this, std::forward<F>(f)));
  }

  /// Starts a task that defer() of this group has made.
  void run(task_handle&& handle) {
    check(handle);
    context_.bind();
    tasks_.spawn_deferred(*handle.task_);
    handle.task_ = nullptr;
  }

  /// A task that is not started, but counted: wait() returns only when it has run, or was
  /// destroyed. Throws as run().
  template <class F>
  task_handle defer(F&& f) {
    return {tasks_.defer(Task<std::decay_t<F>>(*this, std::forward<F>(f))), *this};
  }

  /// Calls f() on this thread, as one of the tasks, and waits.
  template <class F>
    requires std::invocable<const F&>
  task_group_status run_and_wait(const F& f) {
    context_.bind();
    {
      furca::detail::Worker::current();  // f may ask for the thread's number
      const furca::detail::OpenTasks::Counted counted(tasks_);
      run_in_context(f);
    }
    return wait();
  }

  /// Runs that task on this thread, and waits.
  task_group_status run_and_wait(task_handle&& handle) {
    run(std::move(handle));
    return wait();
  }

  /// Returns when all tasks have ended. Throws what the first task to throw has thrown; the group
  /// was cancelled then. It can be used again afterwards.
  task_group_status wait() {
    if (!tasks_.done()) wait_for_tasks();
    const bool cancelled = context_.is_group_execution_cancelled();
    if (cancelled) context_.reset();
    // [task_group.F2]
    if (failed_.load(std::memory_order_acquire)) rethrow();
    return cancelled ? canceled : complete;
  }

  /// Tasks that have not begun are not run; those that run may ask
  /// is_current_task_group_canceling().
  void cancel() noexcept { context_.cancel_group_execution(); }

 private:
  friend class task_arena;

  template <class F>
  struct Task {
    template <class G>
    Task(task_group& in, G&& callable) : group(in), f(std::forward<G>(callable)) {}

    void operator()() && noexcept {
      if constexpr (std::invocable<const F&>) {
        group.run_in_context(std::as_const(f));  // as oneTBB
      } else {
        group.run_in_context(f);
      }
    }

    task_group& group;
    F f;
  };

  template <class F>
  void run_in_context(F& f) noexcept {
    if (context_.is_group_execution_cancelled()) {
      context_.remember_cancellation();
      return;
    }
    const detail::ContextScope scope(context_);
    try {
      detail::tell_observers();
      static_cast<void>(f());
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// What runs on top of a waiter is in none of its contexts.
  void wait_for_tasks() {
    const detail::ContextScope no_context(nullptr);
    const detail::Threads::WaitsInPlace others_come_in;
    tasks_.wait(detail::isolation);
  }

  /// As in oneTBB an exception counts only if it is what cancels the group.
  void fail(std::exception_ptr error) noexcept {
    if (!context_.cancel_group_execution()) return;
    const std::lock_guard lock(failing_);
    if (error_ == nullptr) error_ = std::move(error);
    // [task_group.F1] pairs with F2: who waits finds the exception
    failed_.store(true, std::memory_order_release);
  }

  /// Of several threads that wait one has it.
  void rethrow() {
    std::exception_ptr error;
    {
      const std::lock_guard lock(failing_);
      error = std::exchange(error_, nullptr);
      failed_.store(false, std::memory_order_relaxed);
    }
    if (error != nullptr) std::rethrow_exception(std::move(error));
  }

  void check([[maybe_unused]] const task_handle& handle) const noexcept {
    assert(handle.task_ != nullptr && "furca: run() of an empty task_handle");
    assert(handle.group_ == this && "furca: run() of another task_group's task_handle");
  }

  std::optional<task_group_context> own_;
  task_group_context& context_;
  furca::detail::OpenTasks tasks_;
  std::atomic<bool> failed_{false};
  std::mutex failing_;
  std::exception_ptr error_;
};

}  // namespace tbb
