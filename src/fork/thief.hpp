// A worker's stealing: from whom, and what.
#pragma once

#include <furca/detail/fork/job.hpp>

#include <cstddef>
#include <cstdint>

namespace furca::detail {

class ScopeState;
class Worker;

/// All functions are for the thief's own thread, and none for the victim's.
///
/// Invariants:
/// - of its own worker's it gets nothing but the portion of a loop that others have laid for it;
/// - each look at a victim's deque or queue is counted as a steal that was tried, and as one that
///   was won if it brought a job. A neighbour's turn counts too where the neighbour is gone or is
///   this worker itself, and a look at a place from which a portion was to be received;
/// - who has nothing to do steals a victim's newest task, in its slot, only if the victim has not
///   looked for a task since this thief was there before: two tasks that start each other stay
///   where they are. One such suspect is remembered, until it looks, or has nothing.
class Thief {
 public:
  explicit Thief(Worker& self) noexcept : self_(self) {}
  Thief(const Thief&) = delete;
  Thief& operator=(const Thief&) = delete;

  // These go from one worker to the next, in the order of Team::any_worker.

  /// The oldest fork, or tasks. `awaits_portion`: while portions are being laid it passes who has
  /// forks, since its own may come.
  Job* steal_anything(bool awaits_portion) noexcept;

  /// Tasks, half of a run queue.
  Job* steal_task() noexcept;

  /// The oldest fork.
  Job* steal_fork() noexcept;

  /// The same for a thread that waits, with an empty deque, and has found nothing of what it waits
  /// for. Only if it is greedy, and less than half of its stack is taken.
  Job* steal_fork_if_greedy() noexcept;

  /// The oldest of what was forked or spawned below the tasks of `scope`.
  Job* steal_below(const ScopeState& scope) noexcept;

  /// It has done something else since it looked last.
  void forget_late_portion() noexcept { late_ = nullptr; }

  /// The portion of a loop that lies in its own place; or null.
  Job* receive_portion() noexcept;

  /// The portion that lies in another worker's place, if one did so when this thread looked the
  /// last time: that worker sleeps, is busy, or is kept off.
  Job* receive_portion_of_another() noexcept;

  /// Some portion lay in another's place at its last look there, for the first time: at the next
  /// one it receives it.
  bool knows_late_portion() const noexcept { return late_ != nullptr; }

  /// From the worker whose turn it is: tasks, the newest if it has no other. One worker after the
  /// other, each in its turn.
  Job* steal_tasks_of_neighbour() noexcept;

  /// From `claimer`, which runs the job of `latch`: the oldest of what was forked below that job.
  Job* steal_below(const Latch& latch, Worker& claimer) noexcept;

  /// On the thread that waits: whether it helps with anything then.
  void set_greedy(bool greedy) noexcept;

 private:
  bool passes(const Worker& victim) noexcept;
  Job* steal_queued(Worker& victim) noexcept;
  Job* steal_tasks(Worker& victim) noexcept;
  template <class Wanted, class Steal>
  Job* steal_from_any(Wanted wanted, Steal steal) noexcept;
  Job* receive_portion_of(Worker& worker) noexcept;
  void count(std::uint64_t tried, const Worker* victim) noexcept;

  Worker& self_;
  const Worker* suspect_ = nullptr;  // has a task in its slot, and may be stuck
  std::uint32_t suspects_turn_ = 0;
  std::size_t neighbour_ = 0;  // whose tasks it looks at next
  // whose portion lay in its place when this thread looked the last time
  const Worker* late_ = nullptr;
  bool greedy_ = false;
  // greedy: below this address it steals no more; null: no limit known
  const void* stack_half_ = nullptr;
};

}  // namespace furca::detail
