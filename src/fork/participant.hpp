// One participant of a pool, with all that it has there.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/thread_pool.hpp>

#include "../observing/trace.hpp"
#include "../queues/detached_tasks.hpp"
#include "counters.hpp"
#include "mailbox.hpp"
#include "places.hpp"
#include "scope_help.hpp"
#include "thief.hpp"
#include "work_search.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace furca::detail {

/// A Worker and what headers need not know of it, one part for each of its jobs: each has
/// invariants of its own. Here is what brings them together.
///
/// Invariants:
/// - every Worker is a Participant;
/// - a job is counted from before it runs until it has ended, but not while its end is told: an
///   exit waits for threads in no job.
class Participant : public Worker {
 public:
  explicit Participant(Pool& pool);

  static Participant& of(Worker& worker) noexcept { return static_cast<Participant&>(worker); }
  static const Participant& of(const Worker& worker) noexcept {
    return static_cast<const Participant&>(worker);
  }

  /// From here on it is the calling thread's; null: none is.
  static void become(Worker* worker) noexcept;

  /// The calling thread's workers, from the current one outwards: the first one that is
  /// `wanted(worker)`, or null.
  template <class Wanted>
  static Participant* find_on_this_thread(Wanted wanted) noexcept {
    Worker* worker = Worker::if_any();
    const Visit* visit = worker != nullptr ? of(*worker).visit() : nullptr;
    while (worker != nullptr && !wanted(of(*worker))) {
      worker = visit != nullptr ? visit->before() : nullptr;
      visit = visit != nullptr ? visit->outer() : nullptr;
    }
    return static_cast<Participant*>(worker);
  }

  /// The innermost visit that has made it its thread's current worker; null: none, the thread is
  /// the pool's own, or attached for good.
  const Visit* visit() const noexcept { return visit_; }
  void in_visit(const Visit* visit) noexcept { visit_ = visit; }

  /// Its own: never changed once it is set, and never another one's. Its index is another one while
  /// it is nested.
  std::size_t number() const noexcept { return number_; }
  void set_number(std::size_t number) noexcept;

  /// The calling thread takes it over. `alone`: the pool has no started thread. With `host`,
  /// another worker of this thread's, it is nested in that one and has its index.
  void take_over(Participant* host, bool alone, bool greedy) noexcept;

  /// From here on another thread may use it.
  void hand_over() noexcept { deque_.hand_over(); }

  // --- for those who steal, wait and wake --------------------------------------------------------

  Steal<QueuedJob> steal() noexcept { return deque_.steal(); }
  Index steal_several(std::span<QueuedJob, QueuedJob::kMostAtOnce> jobs) noexcept {
    return deque_.steal_several(jobs);
  }
  template <class Predicate>
  Steal<QueuedJob> steal_if(Predicate still_wanted) noexcept {
    return deque_.steal_if(still_wanted);
  }
  /// Anybody, an estimate: how many steal from it right now.
  std::uint32_t thieves() const noexcept { return deque_.fence().visitors(); }
  std::size_t forks() const noexcept { return deque_.size(); }

  Bell& bell() noexcept { return bell_; }

  // --- owner -------------------------------------------------------------------------------------

  using Worker::look_at_bell;

  bool runs_task() const noexcept { return tasks_running_ > 0; }

  /// Runs a job that came from elsewhere, with an empty deque.
  void run(Job& job) noexcept;

  /// Runs a job from its mailbox, in the middle of something perhaps.
  void run_mail(Job& job) noexcept;

  void enter_job() noexcept {
    jobs_.store(jobs_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void leave_job() noexcept {
    jobs_.store(jobs_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  }

  /// Its thread has ended; and another thread goes on in its place.
  void end() noexcept { jobs_.store(kEnded, std::memory_order_relaxed); }
  void begin_again() noexcept { jobs_.store(0, std::memory_order_relaxed); }

  static constexpr std::uint32_t kEnded = UINT32_MAX;

  /// Anybody: how many jobs are on its thread's stack; kEnded once that has ended.
  std::uint32_t jobs() const noexcept { return jobs_.load(std::memory_order_relaxed); }

  /// Anybody: fences that reached all threads, by it and by those who stole from it.
  std::uint64_t heavy_fences() const noexcept {
    return counters.heavy_fences.get() + deque_.fence().heavy_fences();
  }

  /// Anybody: how often one who stole from it has waited for its deque to be armed.
  std::uint64_t thieves_waits() const noexcept { return deque_.fence().waits(); }

  // --- its parts ---------------------------------------------------------------------------------

  ScopeHelp scope_help{bell_};
  WorkSearch search{*this};
  Thief thief{*this};
  Mailbox mailbox;
  DetachedTasks detached;
  // written for each loop that has parts, looked at by all who look for work
  alignas(kCacheLine) Place place;
  alignas(kCacheLine) Counters counters;

 private:
  Atomics::Atomic<std::uint32_t> jobs_{0};
  std::size_t number_ = 0;
  const Visit* visit_ = nullptr;
};

// Inline, because a detached task may take no longer than this.

/// Once the waiting thread is told, nothing of the job is touched, its code included.
/// Checked by: tests/fault/guest_plugin_test.cpp ("a plugin may be unloaded as soon as its calls
/// have returned, though the threads go on")
FURCA_INLINE inline bool Worker::run_here_inline(Job& job, bool stolen) noexcept {
  Participant& self = Participant::of(*this);
  self.enter_job();
  const JobEnd end = job.run(*this, stolen);  // [latch.L1]
  // first: a thread that is told may exit, and exit waits for threads in no job (Pool::retire)
  self.leave_job();
  end.is_counted_only() ? self.detached.ended() : tell_others(end);  // [latch.L2] [bell.R1]
  Atomics::light_fence();                                            // [bell.R2]
  if (bell_.wants_attention()) bell_.attend();                       // [bell.R3]
  return end.awaited();
}

/// Order matters three times. The latch names us before the job runs: the waiter finds whom to
/// steal from. The latch is set before skip_index(): see Thief::steal_below. And the bell is ours,
/// not the job's, because the job is gone by then.
/// Checked by: tests/model/programs/latch_programs.hpp ("a stolen arm, awaited asleep", "the thief
/// goes on to a stranger's job")
FURCA_INLINE inline void Participant::run(Job& job) noexcept {
  const Index level = deque_.end();
  ++counters.jobs_run;
  const std::uint64_t began = observing ? ticks() : 0;
  open_frame();
  const bool awaited = run_here_inline(job, true);  // [help.L6]
  close_frame(level);
  if (awaited) deque_.skip_index();  // [deque.L4]
  if (began != 0 && !awaited) [[unlikely]]
    trace_event(TraceEvent::task, began, ticks());
}

/// Alone it runs the newest first, always. Nor does it take an open task while newer ones lie above
/// it: who waits for others' may be told by then that it need run no more.
FURCA_INLINE inline bool Worker::run_one_spawned(Index level) noexcept {
  QueuedJob task;
  const Index least = alone_ ? INT64_MAX : std::max(level, newest_open_task_ + 1);
  const bool popped = deque_.pop_from(least, task);
  scope_end_ = -1;
  if (!popped) return false;  // stolen, and so were all that were older
  run_here(task.job(), false);
  return true;
}

}  // namespace furca::detail
