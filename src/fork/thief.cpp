#include "thief.hpp"

#include <furca/detail/fork/deque_thieves.hpp>

#include "../measuring/costs.hpp"
#include "../observing/trace.hpp"
#include "../queues/detached_tasks.hpp"
#include "../system/thread.hpp"
#include "counters.hpp"
#include "scope_help.hpp"
#include "team.hpp"
#include "work_search.hpp"

#include <array>
#include <utility>

namespace furca::detail {

namespace {

/// The oldest fork of the victim's, if it is still wanted then.
template <class Predicate>
Job* steal_one(Worker& victim, Predicate still_wanted) noexcept {
  QueuedJob job;
  return victim.deque().steal_if(still_wanted, job) > 0 ? &job.job() : nullptr;
}

/// The oldest fork of the victim's; and, for a thread that has nothing else to do, with a task of a
/// scope those that follow, linked to it. Who waits in a job steals one: it would have to run the
/// others, too, before it goes on.
Job* steal_oldest(const Worker& self, Worker& victim) noexcept {
  if (self.jobs.read() > 0 || !self.search.is_on_started_thread())
    return steal_one(victim, [] { return true; });
  std::array<QueuedJob, QueuedJob::kMostAtOnce> jobs;
  const auto count = static_cast<std::size_t>(victim.deque().steal_several(jobs));
  if (count == 0) return nullptr;
  for (std::size_t i = 1; i < count; ++i)
    static_cast<LinkedJob&>(jobs[i - 1].job()).next = static_cast<LinkedJob*>(&jobs[i].job());
  return &jobs[0].job();
}

/// A fork of the victim's. Now and then it measures what that costs, unless it, or another thief,
/// has waited for the victim to arm its deque.
Job* steal_fork_from(const Worker& self, Worker& victim, bool measures) noexcept {
  if (!measures) return steal_oldest(self, victim);
  const std::uint64_t asked = victim.deque().fence().asked();
  const std::uint64_t began = ticks();
  Job* const job = steal_oldest(self, victim);
  if (job != nullptr && asked == victim.deque().fence().asked())
    measured_costs.steal_took(static_cast<float>(ticks() - began));
  return job;
}

}  // namespace

/// From the first victim for which `wanted(victim)` is true and `steal(victim)` returns a job.
template <class Wanted, class Steal>
Job* Thief::steal_from_any(Wanted wanted, Steal steal) noexcept {
  Job* job = nullptr;
  std::uint64_t tried = 0;
  const Worker* last = nullptr;
  self_.team().any_worker(self_.random(), [&](Worker& victim) {
    if (!wanted(victim)) return false;
    ++tried;
    last = &victim;
    job = steal(victim);
    return job != nullptr;
  });
  count(tried, job != nullptr ? last : nullptr);
  return job;
}

void Thief::count(std::uint64_t tried, const Worker* victim) noexcept {
  self_.counters.steals_tried.add(tried);
  if (victim == nullptr) return;
  ++self_.counters.steals_won;
  late_ = nullptr;
  // its index is another one for each that is its guest
  if (observing) [[unlikely]]
    trace_steal(victim->number());
}

/// The victim is passed by: four others steal there, and more of them would only wait for each
/// other's cache lines, and the owner for theirs. But those may be kept off, so now and then it
/// goes there all the same.
/// Rejected: with two there. Loops of 100 us on 64 threads gained 3.5 then, 3.6 with four there,
/// and 4.4 where nobody was passed; but scopes of 2 us gained 30 for 42, and fib(25) 15 for 18
/// (bench/counted).
bool Thief::passes(const Worker& victim) noexcept {
  return victim.deque().fence().thieves() > 3 && (self_.random() & 15U) != 0;
}

/// Before it steals from anybody it looks once more whether portions are laid: its look around may
/// have begun before that, and whoever should lay a group must not be busy then.
Job* Thief::steal_anything(bool awaits_portion) noexcept {
  const Portions& portions = self_.team().portions;
  return steal_from_any(
      [&](const Worker& victim) {
        return &victim != &self_ &&
               !(awaits_portion && !victim.nothing_to_steal() && portions.being_laid());
      },
      [this](Worker& victim) {
        if (!self_.alone() && !passes(victim))
          if (Job* const job =
                  steal_fork_from(self_, victim, self_.counters.steals_won.get() % 16 == 0))
            return job;
        return steal_tasks(victim);
      });
}

Job* Thief::steal_task() noexcept {
  return steal_from_any([this](const Worker& victim) { return &victim != &self_; },
                        [this](Worker& victim) { return steal_tasks(victim); });
}

Job* Thief::receive_portion() noexcept {
  if (self_.place.empty()) return nullptr;
  return receive_portion_of(self_);
}

Job* Thief::receive_portion_of_another() noexcept {
  Job* job = nullptr;
  const Worker* first = nullptr;
  self_.team().any_worker(self_.random(), [&](Worker& worker) {
    if (worker.place.empty()) return false;
    if (first == nullptr) first = &worker;
    if (&worker == late_) job = receive_portion_of(worker);
    return job != nullptr;
  });
  late_ = job == nullptr ? first : nullptr;
  return job;
}

/// Who laid it knows the trace: it is told by the portion (placed_loop.cpp).
Job* Thief::receive_portion_of(Worker& worker) noexcept {
  ForkedJob* const portion = worker.place.receive();
  self_.counters.steals_tried.add(1);
  if (portion == nullptr) return nullptr;
  ++self_.counters.steals_won;
  late_ = nullptr;
  return portion;
}

Job* Thief::steal_fork() noexcept {
  return steal_from_any([this](const Worker& victim) { return &victim != &self_; },
                        [this](Worker& victim) { return steal_oldest(self_, victim); });
}

/// Asks for the frame: sanitizers that look for uses after return keep variables elsewhere.
Job* Thief::steal_fork_if_greedy() noexcept {
  if (!greedy_) return nullptr;
  return stack_half_ == nullptr || FURCA_FRAME_ADDRESS() > stack_half_ ? steal_fork() : nullptr;
}

void Thief::set_greedy(bool greedy) noexcept {
  greedy_ = greedy;
  stack_half_ = greedy ? Thread::middle_of_stack() : nullptr;
}

/// The oldest of the victim's run queue, with half of the others.
Job* Thief::steal_queued(Worker& victim) noexcept {
  Job* const job = victim.detached.queue().steal_into(self_.detached.queue());
  if (job != nullptr) self_.team().tell_of_work(self_);
  return job;
}

/// The same; else the newest in its slot.
Job* Thief::steal_tasks(Worker& victim) noexcept {
  if (Job* const job = steal_queued(victim)) return job;
  if (suspect_ != nullptr && suspect_ != &victim) return nullptr;
  const bool suspected = std::exchange(suspect_, nullptr) != nullptr;
  TaskQueue& queue = victim.detached.queue();
  if (!queue.has_newest()) return nullptr;
  const std::uint32_t turn = queue.turns();
  if (suspected) return suspects_turn_ == turn ? queue.pop_newest() : nullptr;
  suspect_ = &victim;
  suspects_turn_ = turn;
  return nullptr;
}

Job* Thief::steal_tasks_of_neighbour() noexcept {
  Worker* victim = self_.team().at(neighbour_);
  if (victim == nullptr) victim = self_.team().at(neighbour_ = 0);
  ++neighbour_;
  Job* job = nullptr;
  if (victim != nullptr && victim != &self_) {
    job = steal_queued(*victim);
    if (job == nullptr) job = victim->detached.queue().pop_newest();
  }
  count(1, job != nullptr ? victim : nullptr);
  return job;
}

/// Steals back, and only what was forked below the job of the latch (Wagner, Calder: Leapfrogging,
/// PPoPP 1993).
///
/// the claimer                            the waiter, here
///   [latch.L1] latch = claimer             [latch.L3] latch names the claimer
///   runs the job, forks, ...               [deque.T1] t = top             acquire
///   [latch.L2] latch = set        release  [latch.L3] latch still not set?
///   [deque.L4] top + 1            release  [deque.T4] CAS top from t
/// The claimer's deque was empty at L1, so what lies at t or above is the job's, as long as the job
/// runs. If L3 says "not set", T1 did not read L4 (it would have made L2 visible), so t is below
/// whatever the claimer pushes after the job: either the CAS wins something forked in the job, or
/// L4 has moved top on and it fails.
Job* Thief::steal_below(const Latch& latch, Worker& claimer) noexcept {
  Job* const job = steal_one(claimer, [&latch] { return !latch.is_set(); });
  count(1, job != nullptr ? &claimer : nullptr);
  return job;
}

/// The same for a scope: what a victim holds while it serves the scope is a task of it that was
/// stolen with another, or was forked or spawned below one, because its deque was empty when it
/// stole them. The scope itself was emptied here before: a task of it can be stolen from this deque
/// only after all that is older was.
///
/// the victim                             the waiter, here
///   serves the scope                       [deque.T1] t = top             acquire
///   runs the task, what it left, ...       [help.L7] still serving it?
///   [help.L6] serves it no more            [deque.T4] CAS top from t
///   [deque.L4] top + 1              release
/// As above: if L7 says yes, T1 did not read L4.
Job* Thief::steal_below(const ScopeState& scope) noexcept {
  return steal_from_any([&scope](const Worker& victim) { return victim.scope_help.serves(scope); },
                        [&scope](Worker& victim) {
                          return steal_one(victim, [&] { return victim.scope_help.serves(scope); });
                        });
}

}  // namespace furca::detail
