#include "participant.hpp"

#include "../pool/pool.hpp"

namespace furca::detail {

Participant::Participant(Pool& pool)
    : Worker(pool), detached(pool.queue_capacity(), pool.tasks()) {}

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
