// A worker's detached tasks: a slot for the newest, a run queue for the others, and the way to the
// common queue.
#pragma once

#include <furca/detail/fork/job.hpp>
#include <furca/injector.hpp>
#include <furca/run_queue.hpp>

#include <algorithm>
#include <atomic>
#include <span>

namespace furca::detail {

/// Detached tasks that lie with one worker. As in Go's scheduler and in Tokio's, the newest one
/// runs next, while what it needs is in the cache: it waits in a slot of its own, and what it
/// displaces goes to the end of the run queue. Three in a row at most, so that two tasks which
/// start each other cannot keep the others from their turn.
///
/// the worker                                      a thief
///   [task_queue.V1] slot = task            release  [task_queue.V3] slot -> empty        acquire
///   [task_queue.V2] slot -> empty, or the next one  (the others: run_queue.hpp)
/// A task is taken out of the slot with a read-modify-write, so it is taken once. Only the worker
/// fills it.
/// Rejected: a lock that is biased to the owner, with plain accesses in both until a thief
/// arms it, as in adaptive_fence.hpp. 14.5 ns a task, 13.9 without it; with plain accesses alone,
/// which lose tasks, 13.2: on an AMD EPYC (family 25) a read-modify-write of a line that one has
/// costs next to nothing, and the bias costs instructions. Look at it again where it costs 5 ns or
/// more. A thread that publishes must look at the worker's bell afterwards (sleep.md): push,
/// push_next, and from_common and steal_into when they return a task, which may have brought more
/// than that. Checked by: tests/queues/task_queue_test.cpp,
/// tests/model/programs/task_queue_programs.hpp
template <class A>
class BasicTaskQueue {
 public:
  using Common = Injector<LinkedJob, A>;

  /// Throws what RunQueue throws.
  BasicTaskQueue(std::size_t capacity, Common& common) : common_(common), run_queue_(capacity) {}

  BasicTaskQueue(const BasicTaskQueue&) = delete;
  BasicTaskQueue& operator=(const BasicTaskQueue&) = delete;

  /// Owner: at the end of the run queue. Half of a full one goes to the common queue.
  void push(LinkedJob& task) noexcept {
    run_queue_.push(&task, [this](std::span<LinkedJob* const> tasks) {
      for (std::size_t i = tasks.size() - 1; i > 0; --i) tasks[i]->next = tasks[i - 1];
      common_.push_chain(*tasks.back(), *tasks.front());
    });
  }

  /// Any thread: at the end of the common queue.
  void push_common(LinkedJob& task) noexcept { common_.push(task); }

  /// Owner: to be the next one that runs, if the owner runs one soon.
  void push_next(LinkedJob& task) noexcept {
    if (newest_.load(std::memory_order_relaxed) == nullptr) {
      // [task_queue.V1] pairs with V3
      newest_.store(&task, std::memory_order_release);
      // [task_queue.V2] pairs with V3
    } else if (LinkedJob* const older = newest_.exchange(&task, std::memory_order_release)) {
      push(*older);
    }
  }

  /// Owner: the task that runs next: the newest, or the oldest of the run queue.
  FURCA_INLINE LinkedJob* next() noexcept {
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (newest_in_a_row_ < kNewestInARow) {
      if (LinkedJob* const task = pop_newest()) {
        ++newest_in_a_row_;
        return task;
      }
    }
    newest_in_a_row_ = 0;
    LinkedJob* oldest = nullptr;
    if (run_queue_.pop(oldest)) return oldest;
    return pop_newest();
  }

  /// Owner: the oldest of the common queue, and up to `batch` - 1 more for the run queue.
  LinkedJob* from_common(std::size_t batch) noexcept {
    LinkedJob* const oldest = common_.pop_chain(std::min(batch, run_queue_.capacity() / 2));
    if (oldest == nullptr) return nullptr;
    for (LinkedJob* rest = oldest->next; rest != nullptr;) {
      LinkedJob* const task = rest;
      rest = task->next;
      push(*task);
    }
    return oldest;
  }

  /// The owner of `other`: half of the run queue, the oldest of it to be run now.
  LinkedJob* steal_into(BasicTaskQueue& other) noexcept {
    if (run_queue_.empty()) return nullptr;
    const Steal<LinkedJob*> got = run_queue_.steal_half_into(other.run_queue_);
    return got ? got.item : nullptr;
  }

  /// Anybody: takes the newest task out of its slot.
  LinkedJob* pop_newest() noexcept {
    if (!has_newest()) return nullptr;
    // [task_queue.V3] pairs with V1 V2
    return newest_.exchange(nullptr, std::memory_order_acquire);
  }

  /// Anybody, an estimate: there is one.
  bool has_newest() const noexcept { return newest_.load(std::memory_order_relaxed) != nullptr; }

  /// Anybody: changes whenever the owner looks for a task.
  std::uint32_t turns() const noexcept { return turns_.load(std::memory_order_relaxed); }

  /// Any thread: an estimate, exact while no other thread uses the queue. Says nothing of the
  /// common queue.
  bool empty() const noexcept { return !has_newest() && run_queue_.empty(); }

 private:
  static constexpr int kNewestInARow = 3;

  // what an idle worker writes is in no line that thieves look at
  alignas(kCacheLine) typename A::template Atomic<std::uint32_t> turns_{0};
  int newest_in_a_row_ = 0;
  Common& common_;
  alignas(kCacheLine) typename A::template Atomic<LinkedJob*> newest_{nullptr};
  RunQueue<LinkedJob*, std::dynamic_extent, A> run_queue_;
};

using TaskQueue = BasicTaskQueue<Atomics>;

}  // namespace furca::detail
