// The part of a worker that is off the fast path: looking for work, running stolen jobs, waiting for them.
#include <furca/detail/worker.hpp>

#include <furca/detail/scope_state.hpp>
#include <furca/detail/shared_task.hpp>

#include "../observing/span.hpp"
#include "../observing/trace.hpp"
#include "../system/environment.hpp"
#include "backoff.hpp"
#include "pool.hpp"

#include <optional>
#include <utility>

namespace furca::detail {

constinit thread_local Worker* current_worker = nullptr;
constinit thread_local Worker* observed_worker = nullptr;

namespace {

/// Arms that wait on one deque at a time before it grows: far more than recursion and loops leave there, 2 KiB.
constexpr std::size_t kDequeCapacity = 256;

/// A thread of a pool that the process lost in a fork has nobody to wait for. Better a word than a hang.
void check_not_lost(const Pool& pool) noexcept {
  if (pool.lost_in_fork())
    fail("a forked child went back into the parallel call that it was forked from, or waits for tasks that its parent's threads run; "
         "end it with exec or _exit inside the body");
}

}  // namespace

/// The deque begins at 1: its end is never that of an arm that was not published.
Worker::Worker(Pool& pool)
    : deque_(kDequeCapacity, 1), sleep_(&pool.sleep()), pool_(&pool), queue_(pool.queue_capacity(), pool.tasks()) {}

void Worker::become(Worker* worker) noexcept {
  (observing ? observed_worker : current_worker) = worker;
  local_values.clear();
}

/// What lies with a worker that is alone nobody would come for.
void Worker::announce() noexcept {
  bell_.attend();
  bell_.forget_sleepers();  // [F4] [F5]
  if (!alone_ && sleep_->must_wake()) sleep_->wake_one();  // [F6]
}

void Worker::look_at_bell() noexcept {
  Atomics::light_fence();                                 // [F2]
  if (bell_.wants_attention()) [[unlikely]] announce();   // [F3]
}

/// Order matters three times. The latch names us before the job runs: the waiter finds whom to steal from. The latch is set
/// before skip_index(): see steal_below. And the bell is ours, not the job's, because the job is gone by then.
/// Checked by: tests/model/latch_programs.hpp ("a stolen arm, awaited asleep", "the thief goes on to a stranger's job")
void Worker::run(Job& job) noexcept {
  const Index level = deque_.end();
  ++counters_.jobs_run;
  const std::uint64_t began = observing ? ticks() : 0;
  open_frame();
  const bool awaited = run_here(job, true);  // [L6]
  close_frame(level);
  if (awaited) deque_.skip_index();  // [L4]
  if (began != 0 && !awaited) [[unlikely]] trace_event(TraceEvent::task, began, ticks());
}

/// Returns whether somebody may have stolen below it. Once somebody is told nothing of the job is touched, its code included.
/// Checked by: tests/fault/guest_plugin_test.cpp ("a plugin may be unloaded as soon as its calls have returned, though the threads go on")
bool Worker::run_here(Job& job, bool stolen) noexcept {
  enter_job();
  const JobEnd end = job.run(*this, stolen);    // [L1]
  leave_job();                                  // first: whoever is told may exit, and exit waits for threads in no job (Pool::retire)
  tell(end);                                    // [L2] [R1]
  Atomics::light_fence();                       // [R2]
  if (bell_.wants_attention()) bell_.attend();  // [R3]
  return end.awaited();
}

void Worker::tell(JobEnd end) noexcept {
  switch (end.whom_) {
    case JobEnd::Whom::forker: return static_cast<Latch*>(end.where_)->set();
    case JobEnd::Whom::scope:
    case JobEnd::Whom::stolen_scope: return static_cast<ScopeState*>(end.where_)->ended(*this);
    case JobEnd::Whom::handle:
    case JobEnd::Whom::pool: break;
  }
  if (auto* const task = static_cast<SharedTask*>(end.where_)) {
    if (end.whom_ == JobEnd::Whom::handle) task->tell();
    if (task->leave()) {  // the last party: if the handle was dropped, what the user has in it is there still, and nobody knows yet that the task has ended
      enter_job();
      task_begins();
      SharedTask::destroy(*task);
      task_has_run();
      leave_job();
    }
  }
  tally_.ended();
}

void Worker::take_back(Index level) noexcept {
  while (deque_.end() > level) {
    const std::optional<Job*> task = deque_.pop();
    if (!task) return;  // stolen, and so were all that were older
    run_here(**task, false);
  }
}

/// Tasks lie above the job; or the job was not published, and what lies there belongs to a frame below.
bool Worker::take_later(Index at) noexcept {
  if (at != Deque<Job*, AdaptiveFence>::kNotPublished) take_back(at + 1);
  return deque_.take(at);
}

/// Looking throughout, but for the jobs. Who was busy with tasks tells those who wait until all have ended.
/// Checked by: tests/lifecycle_test.cpp ("exit in an arm on a started thread, while the other never ends")
void Worker::work_until(const Until& over) noexcept {
  const bool working = std::exchange(working_, true);
  while (Job* job = find_job(over)) {
    const std::uint64_t ends = tally_.ends();
    do {
      run(*job);
    } while (!over() && (job = next_task()) != nullptr);
    sleep_->start_looking();
    if (ends != tally_.ends()) pool_->tell_if_idle();
  }
  working_ = working;
}

/// Looking throughout; active once it returns a job. Null: it is over.
/// Order of search, in every round: mail, the newest task, the ring's oldest, the pool's common queue (every 61st time that before the others, every 13th time
/// somebody's fork, every 251st time tasks of one other worker); then from one worker after the other, beginning anywhere: the oldest fork, half of the ring, and the newest
/// task, if its worker has not looked for one since the round before: two tasks that start each other stay where they are.
Job* Worker::find_job(const Until& over) noexcept {
  check_not_lost(*pool_);  // what lies with others is the parent's
  const IdleTime idle(counters_);
  for (;;) {
    for (Backoff backoff(pool_->patience()); !backoff.exhausted(); backoff.pause()) {
      if (over()) return nullptr;
      Job* job = next_task();
      if (job == nullptr) job = steal_anything();
      if (job != nullptr) {
        sleep_->work_found();
        return job;
      }
    }
    check_not_lost(*pool_);
    const Traced nap(TraceEvent::asleep);
    sleep_->fall_asleep(
        [this] {
          pool_->any_worker(0, [](Worker& worker) {
            worker.bell_.tell_of_sleepers();
            return false;
          });
        },
        [&] { return stays_awake(over() || sees_work()); }, [&] { return over() || has_mail(); });
  }
}

/// After its last look, with what that has found.
bool Worker::stays_awake(bool found) noexcept {
  ++counters_.heavy_fences;
  if (!found) ++counters_.parks;
  return found;
}

void Worker::count_steals(std::uint64_t tried, const Worker* victim) noexcept {
  counters_.steals_tried.add(tried);
  if (victim == nullptr) return;
  ++counters_.steals_won;
  if (observing) [[unlikely]] trace_steal(victim->number_);  // its index is another one for each that is its guest
}

/// Of what is in the common queue a worker takes a few at a time, unless nobody could steal the others from it. Tasks without end do not
/// keep it from the common queue, nor from helping with forks, nor from tasks that lie with a thread which does not come to them: these are primes, so they
/// seldom fall together, or in step with tasks. A look at somebody else's tasks takes cache lines from him, so it is the rarest.
/// Checked by: tests/spawn_test.cpp ("tasks of a busy thread are found by threads that have tasks of their own")
Job* Worker::next_task() noexcept {
  constexpr std::uint32_t kCommonEvery = 61;
  constexpr std::uint32_t kForkEvery = 13;
  if (has_mail()) [[unlikely]]
    if (Job* const job = take_mail()) return job;
  ++turn_;
  if (turn_ % kNeighbourEvery == 0)
    if (Job* const task = steal_tasks_of_neighbour()) return task;
  if (turn_ % kForkEvery == 0 && !alone_)
    if (Job* const job = steal_fork()) return job;
  if (turn_ % kCommonEvery == 0)
    if (Job* const task = from_common(1)) return task;
  if (Job* const task = queue_.next()) return task;
  return from_common(alone_ ? 1 : 32);
}

Job* Worker::from_common(std::size_t batch) noexcept {
  Job* const task = queue_.from_common(batch);
  if (task != nullptr) look_at_bell();
  return task;
}

Job* Worker::steal_anything() noexcept {
  Job* job = nullptr;
  std::uint64_t tried = 0;
  const Worker* robbed = nullptr;
  pool_->any_worker(random(), [&](Worker& victim) {
    if (&victim == this) return false;
    ++tried;
    robbed = &victim;
    if (!alone_) {
      const Steal<Job*> got = victim.deque_.steal();
      if (got) {
        job = got.item;
        return true;
      }
    }
    job = steal_tasks(victim, suspect_);
    return job != nullptr;
  });
  count_steals(tried, job != nullptr ? robbed : nullptr);
  return job;
}

/// The oldest of the victim's ring, with half of the others; else the newest in its slot, but only if the victim has not looked for a task since this thread
/// was there before. One victim at a time is remembered for that: until it is robbed, has looked, or has nothing any more.
Job* Worker::steal_tasks(Worker& victim, Suspect& suspect) noexcept {
  if (Job* const job = victim.queue_.steal_into(queue_)) {
    look_at_bell();
    return job;
  }
  if (suspect.worker != nullptr && suspect.worker != &victim) return nullptr;
  const bool suspected = std::exchange(suspect.worker, nullptr) != nullptr;
  if (!victim.queue_.has_newest()) return nullptr;
  const std::uint32_t turn = victim.queue_.turns();
  if (suspected) return suspect.turn == turn ? victim.queue_.take_newest() : nullptr;
  suspect = {&victim, turn};
  return nullptr;
}

/// One after the other, each in its turn; once more at one that may be stuck.
Job* Worker::steal_tasks_of_neighbour() noexcept {
  Worker* victim = pool_->participant(neighbour_);
  if (victim == nullptr) victim = pool_->participant(neighbour_ = 0);
  if (suspected_neighbour_.worker != victim) suspected_neighbour_ = {};  // a guest has come in, and the numbers are others
  Job* const job = victim != nullptr && victim != this ? steal_tasks(*victim, suspected_neighbour_) : nullptr;
  if (suspected_neighbour_.worker == nullptr) ++neighbour_;
  count_steals(1, job != nullptr ? victim : nullptr);
  return job;
}

/// The last look before it sleeps. Who has his turn at the common queue has seen us fall asleep, when he looks at his bell after it.
bool Worker::sees_work() const noexcept {
  return has_mail() || pool_->tasks().can_pop() || pool_->any_worker(0, [this](const Worker& worker) {
    return (!alone_ && !worker.deque_.empty()) || !worker.queue_.empty();
  });
}

Job* Worker::steal_fork() noexcept {
  Job* job = nullptr;
  std::uint64_t tried = 0;
  const Worker* robbed = nullptr;
  pool_->any_worker(random(), [&](Worker& victim) {
    if (&victim == this) return false;
    ++tried;
    robbed = &victim;
    const Steal<Job*> got = victim.deque_.steal();
    if (got) job = got.item;
    return static_cast<bool>(got);
  });
  count_steals(tried, job != nullptr ? robbed : nullptr);
  return job;
}

/// For a thread that waits, with an empty deque, and has found nothing of what it waits for.
Job* Worker::steal_fork_if_greedy() noexcept {
  const char here = 0;
  const bool allowed = greedy_ && (stack_half_ == nullptr || static_cast<const void*>(&here) > stack_half_);
  return allowed ? steal_fork() : nullptr;
}

/// A guest answers for the worker below it.
bool Worker::has_mail() const noexcept {
  for (const Worker* worker = this; worker != nullptr; worker = worker->host_)
    if (!worker->mail_.empty()) return true;
  return false;
}

Job* Worker::take_mail() noexcept {
  for (Worker* worker = this; worker != nullptr; worker = worker->host_)
    if (Job* const job = worker->mail_.pop()) return job;
  return nullptr;
}

/// For a thread that waits.
void Worker::run_mail(Job& job) noexcept {
  if (deque_.empty()) {
    run(job);
  } else {
    const Index level = deque_.end();
    open_frame();
    run_here(job, false);
    close_frame(level);
  }
}

/// Where many waits lie on top of each other, what they wait for comes first: else each would run the next task on top of itself, until it comes to that.
bool Worker::waits_deep() const noexcept { return waits_ >= kDeep; }

void Worker::post(LinkedJob& task, Turn turn) noexcept {
  if (alone_) [[unlikely]] return pool_->post(task);
  tally_.spawned();
  if ((turn == Turn::next || waits_deep()) && working_) {
    queue_.push_next(task);
  } else {
    queue_.push(task);
  }
  look_at_bell();
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
  count_steals(1, got ? &taker : nullptr);
  return got ? got.item : nullptr;
}

/// The wait chain goes down the tree of forks, so it has no circle; and the stack grows with the program's own nesting only,
/// because what runs here is part of what is waited for. (A greedy pool gives up both for fewer idle moments.)
void Worker::wait(Latch& latch) noexcept {
  const bool may_help = deque_.empty();  // else it joins a task in the middle of something, and must not run what would come on top
  Backoff backoff(pool_->patience());
  const Waiting waiting;
  IdleTime idle(counters_);
  while (!latch.is_set()) {
    Worker* const taker = latch.taker();
    Job* job = may_help && taker != nullptr ? steal_below(latch, *taker) : nullptr;
    if (may_help && job == nullptr) job = steal_fork_if_greedy();
    if (job != nullptr) {
      idle.interrupted_by([&] { run(*job); });
      backoff.reset();
    } else if (Job* const mail = take_mail()) {
      idle.interrupted_by([&] { run_mail(*mail); });
      backoff.reset();
    } else if (!backoff.exhausted()) {
      backoff.pause();
    } else {
      check_not_lost(*pool_);
      backoff.pause();  // a taker that is not named yet, or is at its fence, waits for this processor
      if (taker == nullptr) continue;
      const Traced nap(TraceEvent::asleep);
      taker->bell_.listen([&] { return stays_awake(latch.is_set() || has_mail() || (may_help && !taker->deque_.empty())); });
    }
  }
}

/// The same for a scope: what `victim` holds while it serves the scope was forked or spawned below a task of that scope, because its deque
/// was empty when it stole the task. The scope itself was emptied here before: a task of it can be stolen from this deque only after
/// all that is older was.
///
/// the victim                             the waiter, here
///   serves the scope                       [T1] t = top             acquire
///   runs the task, what it left, ...       [L7] still serving it?
///   [L6] serves it no more                 [T4] CAS top from t
///   [L4] top + 1              release
/// As above: if L7 says yes, T1 did not read L4.
Job* Worker::steal_below(const ScopeState& scope) noexcept {
  Job* job = nullptr;
  std::uint64_t tried = 0;
  const Worker* robbed = nullptr;
  pool_->any_worker(random(), [&](Worker& victim) {
    const auto serves = [&] { return victim.serving_.load(std::memory_order_relaxed) == &scope; };  // [L7] pairs with [L6]
    if (!serves()) return false;
    ++tried;
    robbed = &victim;
    const Steal<Job*> got = victim.deque_.steal_if(serves);
    if (got) job = got.item;
    return static_cast<bool>(got);
  });
  count_steals(tried, job != nullptr ? robbed : nullptr);
  return job;
}

/// If who waits for the scope has found nobody to help, he sleeps, and must be told. He listens first, and then looks once more
/// who serves.
const ScopeState* Worker::serve(const ScopeState* scope) noexcept {
  const ScopeState* const before = serving_.load(std::memory_order_relaxed);
  serving_.store(scope, std::memory_order_relaxed);                        // [L6] pairs with [L7] and [Y5]
  if (scope == nullptr) return before;
  Atomics::fence();                                                        // [Y4] pairs with [B2]
  Worker& owner = scope->owner();
  if (owner.listens_to_.load(std::memory_order_relaxed) == &owner.bell_) owner.bell_.ring();  // [Y3] pairs with [Y1]
  return before;
}

/// Whose bell to listen to: somebody's who serves the scope, else the own.
Worker& Worker::helper_with(const ScopeState& scope) noexcept {
  Worker* helper = this;
  pool_->any_worker(random(), [&](Worker& worker) {
    if (worker.serving_.load(std::memory_order_relaxed) != &scope) return false;
    helper = &worker;
    return true;
  });
  return *helper;
}

void Worker::wait(ScopeState& scope) noexcept {
  Backoff backoff(pool_->patience());
  const Waiting waiting;
  IdleTime idle(counters_);
  while (!scope.done()) {
    // Not empty: somebody else spawned here, who is no part of the scope, so it has been waited for before all older forks were gone.
    const bool may_help = deque_.empty();
    Job* job = may_help ? steal_below(scope) : nullptr;
    if (may_help && job == nullptr) job = steal_fork_if_greedy();
    if (job != nullptr) {
      idle.interrupted_by([&] { run(*job); });
      backoff.reset();
    } else if (Job* const mail = take_mail()) {
      idle.interrupted_by([&] { run_mail(*mail); });
      backoff.reset();
    } else if (!backoff.exhausted()) {
      backoff.pause();
    } else {
      check_not_lost(*pool_);
      backoff.pause();  // a helper that is at its fence waits for this processor
      Worker& helper = may_help ? helper_with(scope) : *this;
      listens_to_.store(&helper.bell_, std::memory_order_relaxed);  // [Y1] pairs with [Y3], by way of [B2] and [Y2]
      const Traced nap(TraceEvent::asleep);
      const auto ready = [&] {
        if (scope.done() || has_mail()) return true;
        if (!may_help) return false;
        if (&helper == this) return &helper_with(scope) != this;  // [Y5] pairs with [L6]
        return helper.serving_.load(std::memory_order_relaxed) != &scope || !helper.deque_.empty();
      };
      helper.bell_.listen([&] { return stays_awake(ready()); });
      listens_to_.store(nullptr, std::memory_order_relaxed);
    }
  }
}

/// The scope's count went to zero before Y2: the waiter's last look at it, after [B2], finds that, or Y3 finds whom to ring.
void Worker::wake_from_scope() noexcept {
  Atomics::fence();                                                        // [Y2] pairs with [B2]
  if (Bell* const bell = listens_to_.load(std::memory_order_relaxed)) bell->ring();  // [Y3] pairs with [Y1]
}

}  // namespace furca::detail
