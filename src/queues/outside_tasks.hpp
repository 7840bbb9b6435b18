// Detached tasks that come from outside of the pool, and its common queue, where they wait.
#pragma once

#include <furca/detail/base/processor.hpp>
#include <furca/detail/fork/job.hpp>
#include <furca/injector.hpp>

#include "tally.hpp"

#include <atomic>

namespace furca::detail {

/// Invariants:
/// - a task that is posted here is counted before it is queued;
/// - a thread in the middle of post() or count_end() is counted too: what it has done may be all
///   that the pool's owner was waiting for, and the pool must not be gone before that thread has
///   left.
/// Checked by: tests/model/programs/pool_programs.hpp ("tasks: who posts from outside")
class OutsideTasks {
 public:
  OutsideTasks() = default;
  OutsideTasks(const OutsideTasks&) = delete;
  OutsideTasks& operator=(const OutsideTasks&) = delete;

  /// Any thread: accepts a task. No bell: the fence is here, and so is the look at who sleeps.
  /// `notify()` looks whether a thread is to be woken.
  template <class Notify>
  void post(LinkedJob& task, Notify notify) noexcept {
    const Passage passage(*this);
    tally_.spawned_by_anybody();
    queue_.push(task);  // [sleep.F1]
    Atomics::fence();   // [sleep.F2] pairs with S2
    notify();           // [sleep.F6]
  }

  /// Any thread: one more task, which is not posted.
  void count_begin() noexcept { tally_.spawned_by_anybody(); }

  /// Any thread: it has ended; calls tell() of that.
  template <class Tell>
  void count_end(Tell tell) noexcept {
    const Passage passage(*this);
    tally_.ended_by_anybody();
    tell();
  }

  const Tally& tally() const noexcept { return tally_; }

  /// Of all workers, which put there what is too much for their own.
  Injector<LinkedJob>& queue() noexcept { return queue_; }
  const Injector<LinkedJob>& queue() const noexcept { return queue_; }

  /// The pool's end: returns when no thread is in the middle of post() or count_end().
  void let_all_pass() noexcept {
    // [outside.Z2] pairs with Z1
    while (passing_.load(std::memory_order_acquire) != 0) Atomics::yield();
  }

 private:
  class Passage {
   public:
    explicit Passage(OutsideTasks& tasks) noexcept : tasks_(tasks) {
      tasks_.passing_.fetch_add(1, std::memory_order_relaxed);
    }
    // [outside.Z1] pairs with Z2
    ~Passage() { tasks_.passing_.fetch_sub(1, std::memory_order_release); }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

   private:
    OutsideTasks& tasks_;
  };

  Injector<LinkedJob> queue_;
  alignas(kCacheLine) Tally tally_;
  Atomics::Atomic<std::uint32_t> passing_{0};
};

}  // namespace furca::detail
