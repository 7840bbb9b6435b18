// What a join needs of its thread: the worker's deque and its bell. The rest of a worker stands
// behind it, in worker.hpp.
#pragma once

#include <furca/detail/fork/adaptive_fence.hpp>
#include <furca/detail/fork/bell.hpp>
#include <furca/detail/fork/chain_deque.hpp>
#include <furca/detail/fork/current_forks.hpp>
#include <furca/detail/fork/job.hpp>

namespace furca::detail {

/// A worker's deque and bell, and what its thread does with them: fork, then in the same frame
/// take, and if that fails wait. Each is a part of a Worker, and of nothing else.
///
/// Only the thread that the worker belongs to touches the owner's side of the deque.
class FURCA_API Forks {
 public:
  using Deque = ChainDeque<QueuedJob, BasicAdaptiveFence<Atomics>>;
  using Index = Deque::Index;

  Forks(const Forks&) = delete;
  Forks& operator=(const Forks&) = delete;

  /// The calling thread's, if current_forks does not tell. An outside thread joins the global pool
  /// here, for good; may throw std::bad_alloc then.
  static Forks& attach();

  /// Publishes a job, so that any thread may steal it until take(). Without memory none can, and
  /// take() succeeds.
  /// Checked by: tests/model/programs/sleep_programs.hpp ("one falls asleep, one posts", "a waiter
  /// and the bell")
  FURCA_INLINE Index fork(Job& job) noexcept {
    const Index at = deque_.offer(QueuedJob(job));  // [sleep.F1] [bell.R1]
    tell_of_job();
    return at;
  }

  /// Takes a forked job back, the newest but for tasks that were spawned since, which run now.
  /// False: it was stolen, and must be waited for.
  FURCA_INLINE bool take(Index at) noexcept {
    if (level() == at + 1) [[likely]]
      return deque_.take_newest(at);
    return take_later(at);
  }

  /// Returns when a stolen job is done; helps with its subtree meanwhile (and, in a greedy pool,
  /// with anything).
  FURCA_COLD void wait(Latch& latch) noexcept;

  /// The deque's end.
  Index level() const noexcept { return deque_.end(); }

  /// Nothing of this worker's can be stolen now: a loop should publish more.
  bool nothing_to_steal() const noexcept { return deque_.empty(); }

  Deque& deque() noexcept { return deque_; }
  const Deque& deque() const noexcept { return deque_; }
  Bell& bell() noexcept { return bell_; }
  const Bell& bell() const noexcept { return bell_; }

  /// Its bell wants attention, after a job was published: rings, and wakes a thread.
  FURCA_COLD void announce() noexcept;

 protected:
  /// Throws std::bad_alloc.
  Forks();
  ~Forks();

  /// After a job was pushed.
  FURCA_INLINE void tell_of_job() noexcept {
    Atomics::light_fence();  // [sleep.F2] [bell.R2]
    if (bell_.wants_attention()) [[unlikely]]
      announce();  // [bell.R3] [sleep.F3]
  }

  FURCA_COLD bool take_later(Index at) noexcept;
  inline Worker& worker() noexcept;  // worker.hpp

  Deque deque_;
  alignas(kCacheLine) Bell bell_;  // written by others only when they fall asleep
};

}  // namespace furca::detail
