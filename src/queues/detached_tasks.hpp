// A worker's part in detached tasks: those that lie with it, and its count of all.
#pragma once

#include <furca/detail/tasks/pool_door.hpp>

#include "tally.hpp"
#include "task_queue.hpp"

namespace furca::detail {

/// Invariants:
/// - a task that is posted here is counted before it can run; the end of one that has run on this
///   thread is counted here too, wherever it was posted;
/// - the slot for the newest is filled only while the thread works (WorkSearch::work_until), since
///   no other thread empties it soon: a guest that does not work has its run queue alone;
/// - waits() counts the waits that lie below whatever runs on this thread. A nested guest goes on
///   from its host's count.
class DetachedTasks {
 public:
  DetachedTasks(std::size_t capacity, TaskQueue::Common& common) : queue_(capacity, common) {}

  /// Owner: accepts a task. The worker must look at its bell afterwards.
  void post(LinkedJob& task, Turn turn) noexcept {
    tally_.spawned();
    if (runs_newest_first() || (turn == Turn::next && working_)) {
      queue_.push_next(task);
    } else {
      queue_.push(task);
    }
  }

  /// Owner: accepts a task that runs after all that were accepted before it in the pool. Nobody's
  /// bell is looked at for that: see Team::tell_of_task.
  void post_in_order(LinkedJob& task) noexcept {
    tally_.spawned();
    queue_.push_common(task);
  }

  /// Owner: waits lie so deep that what they wait for must come first.
  bool runs_newest_first() const noexcept { return waits_ >= kDeep && working_; }

  /// Owner: its thread looks for tasks as soon as it has ended what it runs.
  bool is_working() const noexcept { return working_; }

  /// Owner: one has run here, and ended.
  void ended() noexcept { tally_.ended(); }

  const Tally& tally() const noexcept { return tally_; }

  /// Those that have not begun: for the owner and for thieves.
  TaskQueue& queue() noexcept { return queue_; }
  const TaskQueue& queue() const noexcept { return queue_; }

  /// The owner's thread works, from here to the end of the block.
  class Working {
   public:
    explicit Working(DetachedTasks& tasks, bool works = true) noexcept
        : working_(tasks.working_), before_(std::exchange(working_, works || working_)) {}
    ~Working() { working_ = before_; }
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;

   private:
    bool& working_;
    const bool before_;
  };

  /// Owner: how many waits lie below whatever runs.
  std::uint32_t waits() const noexcept { return waits_; }
  void set_waits(std::uint32_t waits) noexcept { waits_ = waits; }

 private:
  /// With so many waits on top of each other coroutines that come back to the pool go on first:
  /// else each would run the next task on top of itself, until it comes to what it waits for.
  static constexpr std::uint32_t kDeep = 8;

  std::uint32_t waits_ = 0;
  bool working_ = false;
  Tally tally_;
  TaskQueue queue_;
};

}  // namespace furca::detail
