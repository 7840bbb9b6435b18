// Eigen's tensors on furca's threads, Eigen 3.4 and 5. It needs Eigen.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/plugs/handed_tasks.hpp>
#include <furca/plugs/pool.hpp>
#include <furca/scope.hpp>

#if __has_include(<Eigen/ThreadPool>)
#include <Eigen/ThreadPool>
#else
#include <unsupported/Eigen/CXX11/ThreadPool>
#endif

#include <algorithm>
#include <functional>

namespace furca::plugs {

/// The threads of an Eigen::ThreadPoolDevice:
///
///   furca::plugs::EigenPool threads;
///   Eigen::ThreadPoolDevice device(&threads, threads.NumThreads());
///   c.device(device) = a + b;
///
/// Eigen's caller blocks until its tasks are done, so none may be left to wait for a thread. What
/// it schedules is handed to one that begins it within microseconds; else the caller runs it, and
/// all that this schedules, with the pool's threads, before Schedule() returns. So an evaluation
/// may be anywhere in furca's loops, joins and tasks, and these in an expression. But an
/// expression's own function must not evaluate another one on the same pool: a wait in a task holds
/// up a thread, as on Eigen's own. What a task throws ends the program, as there.
/// Thread-safety: any number of threads. It must outlive its devices, and the pool must outlive it.
class EigenPool : public Eigen::ThreadPoolInterface {
 public:
  /// Null: the pool that the caller of Eigen is in.
  explicit EigenPool(ThreadPool* pool = nullptr) noexcept : pool_(pool) {}

  void Schedule(std::function<void()> task) override {
    if (running_ == nullptr || &running_->threads != this) {
      return run_on(pool_, [&] {
        handed_.run([this, task](detail::Relaxed<bool>& divided) { run_all(task, divided); });
      });
    }
    const Running its = *running_;
    if (!its.divided.read()) its.divided.write(true);
    its.tasks.spawn([its, task = std::move(task)] { run(task, its); });
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
    detail::Relaxed<bool>& divided;  // the first of them has scheduled others
  };

  static void run(const std::function<void()>& task, const Running& its) noexcept {
    const During<const Running*> running(running_, &its);
    task();
  }

  /// With all that it schedules.
  void run_all(const std::function<void()>& task, detail::Relaxed<bool>& divided) const {
    scope([&](Scope& tasks) { run(task, {*this, tasks, divided}); });
  }

  static inline thread_local const Running* running_ = nullptr;
  ThreadPool* const pool_;
  HandedTasks<std::mutex> handed_;
};

}  // namespace furca::plugs
