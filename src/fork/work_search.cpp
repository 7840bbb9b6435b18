#include "work_search.hpp"

#include "../measuring/backoff.hpp"
#include "../measuring/costs.hpp"
#include "../observing/trace.hpp"
#include "../queues/detached_tasks.hpp"
#include "counters.hpp"
#include "mailbox.hpp"
#include "run.hpp"
#include "team.hpp"
#include "thief.hpp"

#include <algorithm>
#include <utility>

namespace furca::detail {

/// Of what is in the common queue a worker gets a few at a time, which others may steal from it
/// again; in a pool of one, or under a limit of one, only the oldest, so that they run in order.
/// Tasks without end do not keep it from the common queue, nor from helping with forks, nor from
/// tasks that lie with a thread which does not come to them: so many tasks lie between such looks,
/// and these numbers are primes, so that looks seldom fall together, or in step with tasks. A look
/// at another thread's tasks takes cache lines from it, so it is the rarest.
/// Checked by: tests/tasks/spawn_test.cpp ("tasks of a busy thread are found by threads that have
/// tasks of their own")
FURCA_INLINE inline Job* WorkSearch::next_task(bool steals) noexcept {
  if (self_.mailbox.has_mail()) [[unlikely]]
    if (Job* const job = self_.mailbox.receive()) return job;
  TaskQueue& queue = self_.detached.queue();
  // tasks that were found otherwise count, too
  if (static_cast<std::int32_t>(queue.turns() - turn_of_others_) >= 0) [[unlikely]]
    if (Job* const job = looks_due(steals)) return job;
  if (Job* const task = queue.next()) return task;
  return from_common(self_.alone() || self_.team().is_limited_to_one() ? 1 : 32);
}

/// A thread that was busy with tasks tells those who wait until all have ended.
/// Checked by: tests/pool/lifecycle_test.cpp ("exit in an arm on a started thread, while the other
/// never ends"), tests/pool/process_fork_test.cpp ("a child that goes back into the call that it
/// was forked from aborts with a message")
void WorkSearch::work_until(const Until& over) noexcept {
  const DetachedTasks::Working working(self_.detached);
  self_.team().sleep().start_looking();
  // this may be a job that an outer call runs: that goes on as it was
  const bool outer = std::exchange(counted_, true);
  while (Job* job = find_job(over)) {
    const std::uint64_t ends = self_.detached.tally().ends();
    do {
      run_found(self_, *job);
      // the process may have been forked (fork(2)) in the job: what lies here is the parent's then
      self_.team().check_not_lost();
      // mail is no task
    } while (!(self_.mailbox.has_mail() ? over() : over.stops_tasks()) &&
             (job = next_task(false)) != nullptr);
    if (ends != self_.detached.tally().ends()) self_.team().waits.tell_if_idle();
  }
  counted_ = outer;
  self_.team().stop_looking(self_);
}

/// It listens to its own bell, which rings for mail, and when it is over: sleep.md, "Threads for
/// which there is no room".
/// Checked by: tests/model/programs/pool_programs.hpp ("limits: a task under a limit of one")
void WorkSearch::rest_until(const Until& over, bool tasks) noexcept {
  const DetachedTasks::Working working(self_.detached, tasks);
  while (!over()) {
    Job* job = self_.mailbox.receive();
    if (job == nullptr && tasks) job = task_of_anybody();
    if (job != nullptr) {
      const std::uint64_t ends = self_.detached.tally().ends();
      run_found(self_, *job);
      self_.team().check_not_lost();
      if (ends != self_.detached.tally().ends()) self_.team().waits.tell_if_idle();
    } else {
      const IdleTime idle(self_.counters);
      const TracedNap nap;
      self_.team().check_not_lost();
      self_.bell().listen(
          [&] { return over() || self_.mailbox.has_mail() || (tasks && sees_task()); });
      if (tasks) Atomics::yield();  // it may have seen one that another thread is about to get
    }
  }
}

/// Counts its thread as looking, if that is not so yet: from here on others may rely on it.
/// Who finds a job at its first look never is: where threads sleep two writes and a read of that
/// word for each steal were half of what 128 threads waited for in skynet of 10^6. By bench/counted
/// it gains 29 so and 25 without (three seeds).
/// Rejected: to count oneself early only while fewer than 1, 4, 8 or 16 are counted. Skynet gains
/// as much, but 200 loops of 32 us 2.3 to 2.7 on 64 threads for 3.0.
void WorkSearch::be_counted() noexcept {
  if (!std::exchange(counted_, true)) self_.team().sleep().start_looking();
}

/// Woken before sleeping has paid: it should have looked for longer. Else it need not have looked
/// for so long. `costs`: of sleeping and being woken.
void WorkSearch::learn_from_nap(float took, float costs) noexcept {
  constexpr float kLeast = 0.125F;
  const float longest = self_.team().longest_backoff(self_);
  backoff_length_ = took < longest * costs ? longest : std::max(kLeast, 0.5F * backoff_length_);
}

/// Active once it returns a job. Null: it is over, and the thread is counted as looking.
Job* WorkSearch::find_job(const Until& over) noexcept {
  Team& team = self_.team();
  team.check_not_lost();  // what lies with others is the parent's
  const IdleTime idle(self_.counters);
  self_.thief.forget_late_portion();
  for (bool woken = false;;) {
    for (Backoff backoff = team.backoff(backoff_length_); !backoff.exhausted(); backoff.pause()) {
      if (!counted_ && (!backoff.begins() || (!backoff.is_new() && team.sleep().sleepers() > 0)))
        be_counted();
      if (over()) {
        be_counted();
        return nullptr;
      }
      Job* job = next_task(true);
      if (job == nullptr) job = receive_or_steal(backoff.spins());
      if (job != nullptr) {
        if (std::exchange(counted_, false)) team.stop_looking(self_);
        if (woken) team.lookers.woken_found_work();
        team.wake_more(self_);
        return job;
      }
    }
    be_counted();
    team.check_not_lost();
    const float costs = team.nap_costs();
    const std::uint64_t began = ticks();
    {
      const TracedNap nap;
      const bool kept_off =
          on_started_thread_ && affinity_.keep_off(team.processor_to_avoid(self_));
      if (woken) team.lookers.woken_in_vain();
      woken = team.sleep().fall_asleep(
          [&team] { team.mark_sleepers(); },
          [&] { return self_.counters.count_last_look(over() || sees_work()); },
          [&] { return over() || self_.mailbox.has_mail(); });
      if (woken && on_started_thread_) team.was_woken(self_);
      if (kept_off) affinity_.let_back();
    }
    learn_from_nap(static_cast<float>(ticks() - began), costs);
    if (woken) {
      // not before: after a rest it takes microseconds to be let back
      team.sleep().latency.woken();
      team.wake_more(self_);  // not before that: what it costs to wake others is theirs
    } else {
      looks_for_portion_ = kLooksForPortion;  // it has looked in vain for long
    }
  }
}

/// Its own portion of a loop; what others have. While portions are being laid its own may come: it
/// waits for that for some microseconds, unless it lets others have its processor already
/// (`spins`). Then it receives another's portion that lies there for two looks, before it steals
/// from anybody: that may be a group whose thread does not come, and until somebody lays the
/// portions of it all others wait, too. When none are being laid, it receives one that lies there
/// for two rounds: each look at all places takes cache lines from those who lay and receive.
/// Checked by: tests/loop/places_test.cpp ("who has waited for a portion takes a group that nobody
/// comes for, before it steals")
Job* WorkSearch::receive_or_steal(bool spins) noexcept {
  const Portions& portions = self_.team().portions;
  if (!portions.used()) return self_.thief.steal_anything(false);
  if (Job* const portion = self_.thief.receive_portion()) return portion;
  const bool laying = portions.being_laid();
  if (!laying) {
    looks_for_portion_ = 0;
  } else {
    if (spins && ++looks_for_portion_ < kLooksForPortion) return nullptr;
    Job* const portion = self_.thief.receive_portion_of_another();
    if (portion != nullptr || self_.thief.knows_late_portion()) return portion;
  }
  Job* const job = self_.thief.steal_anything(!laying && spins);
  return job != nullptr || laying ? job : self_.thief.receive_portion_of_another();
}

/// The looks that are due at this turn; and when the next one is. `steals`: if these find nothing
/// receive_or_steal() follows, which decides whether to steal while portions are being laid. (A
/// fork at each 13th turn may come in step with that, again and again.)
Job* WorkSearch::looks_due(bool steals) noexcept {
  constexpr std::uint32_t kCommonEvery = 61;
  constexpr std::uint32_t kForkEvery = 13;
  const std::uint32_t turn = self_.detached.queue().turns();
  const auto left = [turn](std::uint32_t every) { return every - turn % every; };
  turn_of_others_ = turn + std::min({left(kNeighbourEvery), left(kForkEvery), left(kCommonEvery)});
  if (turn % kNeighbourEvery == 0)
    if (Job* const task = self_.thief.steal_tasks_of_neighbour()) return task;
  if (turn % kForkEvery == 0 && !self_.alone() && !(steals && self_.team().portions.being_laid()))
    if (Job* const job = self_.thief.steal_fork()) return job;
  return turn % kCommonEvery == 0 ? from_common(1) : nullptr;
}

Job* WorkSearch::from_common(std::size_t batch) noexcept {
  Job* const task = self_.detached.queue().from_common(batch);
  if (task != nullptr) self_.team().tell_of_work(self_);
  return task;
}

Job* WorkSearch::task_of_anybody() noexcept {
  if (Job* const task = self_.detached.queue().next()) return task;
  if (Job* const task = from_common(1)) return task;
  return self_.thief.steal_task();
}

bool WorkSearch::sees_task() const noexcept {
  return self_.team().tasks().can_pop() || self_.team().any_worker(0, [](const Worker& worker) {
    return !worker.detached.queue().empty();
  });
}

/// The last look before it sleeps. A thread that has its turn at the common queue looks at its bell
/// after it, and then sees that this one sleeps.
bool WorkSearch::sees_work() const noexcept {
  return self_.mailbox.has_mail() || self_.team().tasks().can_pop() ||
         self_.team().any_worker(0, [this](const Worker& worker) {
           return (!self_.alone() && !worker.nothing_to_steal()) ||
                  !worker.detached.queue().empty() ||
                  (self_.team().portions.used() && !worker.place.empty());
         });
}

}  // namespace furca::detail
