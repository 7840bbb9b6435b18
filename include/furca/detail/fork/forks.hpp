// What a join needs of its thread; and a fork: a job in a frame that runs something else meanwhile.
#pragma once

#include <furca/detail/fork/adaptive_fence.hpp>
#include <furca/detail/fork/bell.hpp>
#include <furca/detail/fork/chain_deque.hpp>
#include <furca/detail/fork/current_forks.hpp>
#include <furca/detail/fork/job.hpp>

namespace furca::detail {

/// A worker's deque and bell, and what its thread does with them: fork, then in the same frame
/// take, and if that fails wait. Part of a Worker (worker.hpp), whose thread alone touches the
/// owner's side of the deque.
class FURCA_API Forks {
 public:
  using Deque = ChainDeque<QueuedJob, BasicAdaptiveFence<Atomics>>;
  using Index = Deque::Index;

  Forks(const Forks&) = delete;
  Forks& operator=(const Forks&) = delete;

  /// The calling thread's, if current_forks does not tell. An outside thread joins the global pool
  /// here (src/pool/global.cpp), for good; may throw std::bad_alloc then.
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
    if (deque_.end() == at + 1) [[likely]]
      return deque_.take_newest(at);
    return take_later(at);
  }

  /// Returns when a stolen job is done; helps with its subtree meanwhile (and, in a greedy pool,
  /// with anything): src/fork/waiting.cpp.
  FURCA_COLD void wait(Latch& latch) noexcept;

  /// Nothing lies in the deque now for a thief: a loop should publish more.
  bool nothing_to_steal() const noexcept { return deque_.empty(); }

  Deque& deque() noexcept { return deque_; }
  const Deque& deque() const noexcept { return deque_; }
  Bell& bell() noexcept { return bell_; }
  const Bell& bell() const noexcept { return bell_; }

  /// After a job was pushed.
  FURCA_INLINE void tell_of_job() noexcept {
    Atomics::light_fence();  // [sleep.F2] [bell.R2]
    if (bell_.wants_attention()) [[unlikely]]
      announce();  // [bell.R3] [sleep.F3]
  }

 protected:
  /// Throws std::bad_alloc.
  Forks();
  ~Forks();

  FURCA_COLD void announce() noexcept;
  FURCA_COLD bool take_later(Index at) noexcept;
  inline Worker& worker() noexcept;  // worker.hpp

  Deque deque_;
  alignas(kCacheLine) Bell bell_;  // others write it to ring, and when they fall asleep
};

/// A job in the frame of its forker, which waits for it if it was stolen.
class ForkedJob : public Job {
 public:
  /// The thief's part: `fill` runs the work and writes the outcome.
  template <class Fill>
  JobEnd claim_and_fill(Worker& thief, Fill fill) noexcept {
    latch.claim(thief);  // before the job runs: the waiter finds whom to steal from
    fill();
    return JobEnd::of(latch);
  }

  // A portion of a loop, which does not lie in the deque, has both of its own (placed_loop.cpp).

  FURCA_INLINE bool take(Forks& forker, Forks::Index at) noexcept { return forker.take(at); }
  /// It was taken back, and nobody will run it.
  void dropped() noexcept {}

  Latch latch;

 protected:
  using Job::Job;
  ~ForkedJob() = default;
};

/// The life of a forked job, from its publication to the one of three ends that it has:
/// - taken back: take() is true, and the caller runs it, or drops it;
/// - awaited: take() is false, since a thief has it; after Forks::wait(), or a collect() of the
///   job's own that waits in the same way, its outcome is there;
/// - withdrawn: what ran in this frame meanwhile has thrown. Then it is taken back and not run, or
///   awaited and its outcome dropped: what comes later in program order does not matter. Outside of
///   any handler, so that jobs which run meanwhile see no current exception.
///
/// `Forked` is a ForkedJob with discard(), which drops the outcome that a thief has left. It is
/// published on the thread's deque; or was published elsewhere, when the deque's end was `at`.
/// Inlined, so that all this stays in registers.
template <class Forked>
class Fork {
  using Index = Forks::Index;

 public:
  FURCA_INLINE Fork(Forks& self, Forked& job) noexcept : Fork(self, job, self.fork(job)) {}
  FURCA_INLINE Fork(Forks& self, Forked& job, Index at) noexcept
      : self_(self), job_(job), at_(at) {}
  FURCA_INLINE ~Fork() {
    if (!settled_) withdraw(self_, at_, job_);
  }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  /// No task was spawned above the job since: take() would run it first.
  bool lies_bare() const noexcept { return self_.deque().end() == at_ + 1; }

  FURCA_INLINE bool take() noexcept {
    settled_ = true;
    return job_.take(self_, at_);
  }

 private:
  FURCA_COLD static void withdraw(Forks& self, Index at, Forked& job) noexcept {
    if (job.take(self, at)) return job.dropped();
    self.wait(job.latch);
    job.discard();
  }

  Forks& self_;
  Forked& job_;
  const Index at_;
  bool settled_ = false;
};

}  // namespace furca::detail
