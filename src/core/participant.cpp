#include "participant.hpp"

#include "../observing/trace.hpp"
#include "pool.hpp"

namespace furca::detail {

Participant::Participant(Pool& pool) : Worker(pool), detached(pool.queue_capacity(), pool.tasks()) {}

void Participant::become(Worker* worker) noexcept {
  (observing ? observed_worker : current_worker) = worker;
  local_values.clear();
}

void Participant::set_number(std::size_t number) noexcept {
  number_ = index_ = number;
  random_ = static_cast<std::uint32_t>(number) * 2654435769U + 1U;
}

void Participant::take_over(Participant* host, bool alone, bool greedy) noexcept {
  if (host != nullptr) {
    index_ = host->index_;
    serial_ = host->serial_;
  }
  mailbox.lie_on(host != nullptr ? &host->mailbox : nullptr);
  detached.set_waits(host != nullptr ? host->detached.waits() : 0);
  alone_ = alone;
  thief.set_greedy(greedy);
}

/// Order matters three times. The latch names us before the job runs: the waiter finds whom to steal from. The latch is set
/// before skip_index(): see Thief::steal_below. And the bell is ours, not the job's, because the job is gone by then.
/// Checked by: tests/model/latch_programs.hpp ("a stolen arm, awaited asleep", "the thief goes on to a stranger's job")
void Participant::run(Job& job) noexcept {
  const Index level = deque_.end();
  ++counters.jobs_run;
  const std::uint64_t began = observing ? ticks() : 0;
  open_frame();
  const bool awaited = run_here(job, true);  // [L6]
  close_frame(level);
  if (awaited) deque_.skip_index();  // [L4]
  if (began != 0 && !awaited) [[unlikely]] trace_event(TraceEvent::task, began, ticks());
}

void Participant::run_mail(Job& job) noexcept {
  if (deque_.empty()) {
    run(job);
  } else {
    const Index level = deque_.end();
    open_frame();
    run_here(job, false);
    close_frame(level);
  }
}

}  // namespace furca::detail
