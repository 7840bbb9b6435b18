// Eigen's tensors on furca's threads, Eigen 3.4 and 5. It needs Eigen.
#pragma once

#include <furca/plugs/pool.hpp>
#include <furca/scope.hpp>

#if __has_include(<Eigen/ThreadPool>)
#include <Eigen/ThreadPool>
#else
#include <unsupported/Eigen/CXX11/ThreadPool>
#endif

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace furca::plugs {

/// The threads of an Eigen::ThreadPoolDevice:
///
///   furca::plugs::EigenPool threads;
///   Eigen::ThreadPoolDevice device(&threads, threads.NumThreads());
///   c.device(device) = a + b;
///
/// Eigen's caller blocks until its tasks are done, so none may be left to wait for a thread. The
/// caller of an evaluation runs what it schedules, and all that this schedules, with the pool's
/// threads, in a furca::scope: before Schedule() returns. So an evaluation may be anywhere in
/// furca's loops, joins and tasks, and these in an expression. But an expression's own function
/// must not evaluate another one on the same pool: a wait in a task holds up a thread, as on
/// Eigen's own.
/// Schedule() throws what the task threw, or one that it scheduled; Eigen itself expects no
/// exceptions.
/// Thread-safety: any number of threads. It must outlive its devices, and the pool must outlive it.
class EigenPool : public Eigen::ThreadPoolInterface {
 public:
  /// Null: the pool that the caller of Eigen is in.
  explicit EigenPool(ThreadPool* pool = nullptr) noexcept : pool_(pool) {}

  void Schedule(std::function<void()> task) override {
    if (running_ != nullptr && &running_->threads == this) {
      Scope& tasks = running_->tasks;
      tasks.spawn([this, &tasks, task = std::move(task)] { run(task, tasks); });
      return;
    }
    run_on(pool_, [&] { scope([&](Scope& tasks) { run(task, tasks); }); });
  }

  int NumThreads() const override { return threads_of(pool_); }

  /// Below NumThreads() in a task of this pool, elsewhere -1.
  int CurrentThreadId() const override {
    if (running_ == nullptr || &running_->threads != this) return -1;
    return static_cast<int>(std::min(thread_index(), num_threads() - 1));
  }

 private:
  /// This thread runs a task of `threads`.
  struct Running {
    const EigenPool& threads;
    Scope& tasks;
  };

  void run(const std::function<void()>& task, Scope& tasks) const {
    const Running its{*this, tasks};
    const During<const Running*> running(running_, &its);
    task();
  }

  static inline thread_local const Running* running_ = nullptr;
  ThreadPool* const pool_;
};

}  // namespace furca::plugs
