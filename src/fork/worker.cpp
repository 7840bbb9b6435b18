// A worker and its organs; the slow paths of its own deque: waking sleepers, running jobs on top of
// others, and telling of their ends.
#include <furca/detail/fork/worker.hpp>

#include <furca/detail/base/local_values.hpp>
#include <furca/detail/fork/deque_thieves.hpp>
#include <furca/detail/fork/fence_arming.hpp>
#include <furca/detail/fork/task_memory.hpp>
#include <furca/detail/tasks/scope_state.hpp>
#include <furca/detail/tbb/open_tasks.hpp>

#include "../measuring/step_costs.hpp"
#include "../measuring/waking.hpp"
#include "../queues/detached_tasks.hpp"
#include "counters.hpp"
#include "mailbox.hpp"
#include "places.hpp"
#include "run.hpp"
#include "scope_help.hpp"
#include "team.hpp"
#include "thief.hpp"
#include "work_search.hpp"

#include <utility>

namespace furca::detail {

template class BasicAdaptiveFence<Atomics>;
template class ChainDeque<QueuedJob, BasicAdaptiveFence<Atomics>>;

constinit thread_local Forks* current_forks = nullptr;
constinit thread_local Worker* observed_worker = nullptr;

bool JobEnd::tell_forker(void* latch, Worker&) noexcept {
  static_cast<Latch*>(latch)->set();
  return true;
}

namespace {

/// Arms that wait on one deque at a time before it grows: far more than recursion and loops leave
/// there, 2 KiB.
constexpr std::size_t kDequeCapacity = 256;

}  // namespace

struct Worker::Organs {
  Organs(Worker& self, Team& team)
      : scope_help(self.bell_),
        search(self),
        thief(self),
        detached(team.queue_capacity(), team.tasks()) {}

  TaskMemory task_memory;
  OpenTasksHere open_tasks;
  StepCosts step_costs;
  LoopRow row;
  ScopeHelp scope_help;
  WorkSearch search;
  Thief thief;
  Mailbox mailbox;
  DetachedTasks detached;
  // written for each loop that has portions, looked at by all who look for work
  alignas(kCacheLine) Place place;
  alignas(kCacheLine) Counters counters;
};

/// The deque begins at 1, so its end is never kNotPublished + 1, which Forks::take() compares it
/// with.
Forks::Forks() : deque_(kDequeCapacity, 1) {}
Forks::~Forks() = default;

Worker::Worker(Team& team)
    : pool_(&team.pool()),
      team_(&team),
      serial_(next_serial()),
      organs_(new Organs(*this, team)),
      task_memory(organs_->task_memory),
      open_tasks(organs_->open_tasks),
      step_costs(organs_->step_costs),
      row(organs_->row),
      scope_help(organs_->scope_help),
      search(organs_->search),
      thief(organs_->thief),
      mailbox(organs_->mailbox),
      detached(organs_->detached),
      place(organs_->place),
      counters(organs_->counters) {}

Worker::~Worker() { delete organs_; }

void Worker::become(Worker* worker) noexcept {
  if (observing)
    observed_worker = worker;
  else
    current_forks = worker;
  local_values.clear();
}

void Worker::set_number(std::size_t number) noexcept {
  number_ = index_ = number;
  random_ = static_cast<std::uint32_t>(number) * 2654435769U + 1U;
}

void Worker::take_over(Worker* host, bool alone, bool greedy) noexcept {
  if (host != nullptr) {
    index_ = host->index_;
    serial_ = host->serial_;
  }
  mailbox.lie_on(host != nullptr ? &host->mailbox : nullptr);
  detached.set_waits(host != nullptr ? host->detached.waits() : 0);
  alone_ = alone;
  thief.set_greedy(greedy);
}

/// No thread would come to steal from a worker that is alone.
/// Checked by: tests/model/programs/sleep_programs.hpp ("one falls asleep, one posts")
void Forks::announce() noexcept {
  Worker& self = worker();
  bell_.attend();
  bell_.forget_sleepers();  // [sleep.F4] [sleep.F5]
  if (!self.alone() && self.team().sleep().must_wake()) self.team().wake(&self);  // [sleep.F6]
}

void Worker::run_on_top(Job& job) noexcept { run_job(*this, job, false); }

void Worker::run_spawned(Index end) noexcept {
  while (deque_.end() > end && run_one_spawned(end)) {
  }
}

/// Tasks lie above the job; or the job was not published, and what lies there belongs to a frame
/// below.
bool Forks::take_later(Index at) noexcept {
  if (at != Deque::kNotPublished) worker().run_spawned(at + 1);
  return deque_.take(at);
}

}  // namespace furca::detail
