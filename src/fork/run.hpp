// A worker runs a job. Inline, because a detached task may take no longer than this.
#pragma once

#include <furca/detail/fork/deque_thieves.hpp>
#include <furca/detail/fork/worker.hpp>

#include "../observing/trace.hpp"
#include "../queues/detached_tasks.hpp"
#include "counters.hpp"
#include "sleep.hpp"

#include <cstdint>

namespace furca::detail {

/// Returns whether another thread may have stolen below the job; `on_empty_deque`: see Job::Body.
/// Once the waiting thread is told, nothing of the job is touched, its code included.
/// Checked by: tests/fault/guest_plugin_test.cpp ("a plugin may be unloaded as soon as its calls
/// have returned, though the threads go on")
FURCA_INLINE inline bool run_job(Worker& self, Job& job, bool on_empty_deque) noexcept {
  self.begin_job();
  const JobEnd end = job.run(self, on_empty_deque);  // [latch.L1]
  // first: a thread that is told may exit, and exit waits for threads in no job (Pool::retire)
  self.end_job();
  bool stolen_below = false;
  if (end.is_counted_only()) {
    self.detached.ended();
  } else {
    stolen_below = end.tell(self);  // [latch.L2] [bell.R1]
  }
  Atomics::light_fence();                                   // [bell.R2]
  if (self.bell().wants_attention()) self.bell().attend();  // [bell.R3]
  return stolen_below;
}

/// Runs a job from elsewhere, with an empty deque. Where it was found is no part of a join.
/// Three things matter here. The latch names us before the job runs: the waiter finds whom to
/// steal from. The latch is set before skip_index(): see Thief::steal_below. And the bell is ours,
/// not the job's, because the job is gone by then.
/// Checked by: tests/model/programs/latch_programs.hpp ("a stolen arm, awaited asleep", "the thief
/// goes on to a stranger's job")
FURCA_INLINE inline void run_found(Worker& self, Job& job) noexcept {
  const Worker::Index end = self.deque().end();
  ++self.counters.jobs_run;
  const std::uint64_t began = observing ? ticks() : 0;
  self.open_frame();
  const bool stolen_below = run_job(self, job, true);  // [help.L6]
  self.close_frame(end);
  if (stolen_below) self.deque().skip_index();  // [deque.L4]
  if (began != 0 && !stolen_below) [[unlikely]]
    trace_event(TraceEvent::task, began, ticks());
}

/// Runs a job from its mailbox, in the middle of something perhaps.
inline void run_mail(Worker& self, Job& job) noexcept {
  if (self.nothing_to_steal()) return run_found(self, job);
  const Worker::Index end = self.deque().end();
  self.open_frame();
  run_job(self, job, false);
  self.close_frame(end);
}

/// Alone it takes the newest wherever that lies.
FURCA_INLINE inline bool Worker::run_one_spawned(Index end) noexcept {
  QueuedJob task;
  const bool popped = deque_.pop_from(alone_ ? INT64_MAX : end, task);
  scope_end_ = -1;
  if (!popped) return false;  // stolen, and so were all that were older
  run_job(*this, task.job(), false);
  return true;
}

}  // namespace furca::detail
