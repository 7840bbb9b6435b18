// The part of a worker that is off the fast path: looking for work, running stolen jobs, waiting for them.
#include <furca/detail/worker.hpp>

#include "backoff.hpp"
#include "environment.hpp"
#include "pool.hpp"

namespace furca::detail {

constinit thread_local Worker* current_worker = nullptr;

namespace {

/// Arms that wait on one deque at a time before it grows: far more than recursion and loops leave there, 2 KiB.
constexpr std::size_t kDequeCapacity = 256;

/// A thread of a pool that the process lost in a fork has nobody to wait for. Better a word than a hang.
void check_not_lost(const Pool& pool) noexcept {
  if (pool.lost_in_fork())
    fail("a forked child went back into the parallel call that it was forked from; end it with exec or _exit inside the body");
}

}  // namespace

Worker::Worker(Pool& pool) : deque_(kDequeCapacity), sleep_(&pool.sleep()), pool_(&pool) {}

void Worker::announce() noexcept {
  bell_.attend();
  bell_.forget_sleepers();  // [F4] [F5]
  if (sleep_->must_wake()) sleep_->wake_one();  // [F6]
}

/// Order matters three times. The latch names us before the job runs: the waiter finds whom to steal from. The latch is set
/// before skip_index(): see steal_below. And the bell is ours, not the job's, because the job is gone by then.
/// Checked by: tests/model/latch_programs.hpp ("a stolen arm, awaited asleep", "the thief goes on to a stranger's job")
void Worker::run(Job& job) noexcept {
  job.latch.take(*this);
  const Phase outer = phase_.load(std::memory_order_relaxed);
  phase_.store(Phase::running, std::memory_order_relaxed);
  job.run();
  phase_.store(outer, std::memory_order_relaxed);  // before the latch: whoever it tells may unload the library next
  job.latch.set();             // [L2] [R1] after this, job may be gone
  Atomics::light_fence();      // [R2]
  if (bell_.wants_attention()) bell_.attend();  // [R3]
  deque_.skip_index();         // [L4]
}

/// Checked by: tests/lifecycle_test.cpp ("exit in an arm on a started thread, while the other never ends")
void Worker::work() noexcept {
  current_worker = this;
  random_ = static_cast<std::uint32_t>(index_) * 2654435769U + 1U;
  while (Job* const job = find_job()) {
    run(*job);
    sleep_->start_looking();
  }
  phase_.store(Phase::gone, std::memory_order_relaxed);
}

/// Looking throughout; active once it returns a job. Null: the pool stops.
Job* Worker::find_job() noexcept {
  check_not_lost(*pool_);
  for (;;) {
    for (Backoff backoff; !backoff.exhausted(); backoff.pause()) {
      if (sleep_->stopping()) return nullptr;
      if (Job* const job = steal_from_anyone()) {
        sleep_->work_found();
        return job;
      }
    }
    check_not_lost(*pool_);
    sleep_->fall_asleep(
        [this] {
          pool_->any_worker(0, [](Worker& worker) {
            worker.bell_.tell_of_sleepers();
            return false;
          });
        },
        [this] { return sleep_->stopping() || pool_->any_worker(0, [](const Worker& worker) { return !worker.deque_.empty(); }); });
  }
}

Job* Worker::steal_from_anyone() noexcept {
  Job* job = nullptr;
  pool_->any_worker(random(), [&](Worker& victim) {
    if (&victim == this) return false;
    const Steal<Job*> got = victim.deque_.steal();
    if (got) job = got.item;
    return static_cast<bool>(got);
  });
  return job;
}

/// Steals back from `taker`, who runs the job of `latch`, and only what was forked below that job (Wagner, Calder:
/// Leapfrogging, PPoPP 1993).
///
/// the taker                              the waiter, here
///   [L1] latch = taker                     [L3] latch names the taker
///   runs the job, forks, ...               [T1] t = top             acquire
///   [L2] latch = set        release        [L3] latch still not set?
///   [L4] top + 1            release        [T4] CAS top from t
/// The taker's deque was empty at L1, so what lies at t or above is the job's, as long as the job runs. If L3 says "not set",
/// T1 did not read L4 (it would have made L2 visible), so t is below whatever the taker pushes after the job: either the CAS wins
/// something forked in the job, or L4 has moved top on and it fails.
Job* Worker::steal_below(const Latch& latch, Worker& taker) noexcept {
  const Steal<Job*> got = taker.deque_.steal_if([&latch] { return !latch.is_set(); });
  return got ? got.item : nullptr;
}

/// The wait chain goes down the tree of forks, so it has no circle; and the stack grows with the program's own nesting only,
/// because what runs here is part of what is waited for. (A greedy pool gives up both for fewer idle moments.)
void Worker::wait(Latch& latch) noexcept {
  Backoff backoff;
  while (!latch.is_set()) {
    Worker* const taker = latch.taker();
    Job* job = taker != nullptr ? steal_below(latch, *taker) : nullptr;
    if (job == nullptr && greedy_ && (stack_half_ == nullptr || static_cast<const void*>(&backoff) > stack_half_))
      job = steal_from_anyone();
    if (job != nullptr) {
      run(*job);
      backoff.reset();
    } else if (!backoff.exhausted()) {
      backoff.pause();
    } else {
      check_not_lost(*pool_);
      backoff.pause();  // a taker that is not named yet, or is at its fence, waits for this processor
      if (taker != nullptr) taker->bell_.listen([&] { return latch.is_set() || !taker->deque_.empty(); });
    }
  }
}

}  // namespace furca::detail
