#include "team.hpp"

#include "../measuring/costs.hpp"
#include "../queues/detached_tasks.hpp"
#include "../system/environment.hpp"

namespace furca::detail {

Backoff Team::backoff(float length) const noexcept {
  if (backoff_) return *backoff_;
  if constexpr (Atomics::kSpins != 0) return {Atomics::kSpins, Atomics::kYields};
  const Costs costs = measured_costs.get(&sleep_.latency);
  return costs.backoff(length * looking_time(costs));
}

/// Each heavy fence interrupts all that run. So in a large pool sleep must last for longer until it
/// pays, or threads fall asleep in the middle of a call, and those who have work lose more than
/// these would have used up.
/// The 2 us are twice what an interruption takes where it was published. By bench/counted (EPYC
/// 7742, 64 threads that are awake) 256 steps of 40 us gain 50 with them and 26 without, 10 queens
/// by loops 17 and 13. But those who stay awake are in each other's way in short loops: loops of 30
/// us in a row gain 2.4 and 3.2, of 10 us 1.2 and 1.3.
float Team::looking_time(const Costs& costs) const noexcept {
  constexpr float kForEachOther = 2;
  return costs.looking() + kForEachOther * others_running_;
}

float Team::nap_costs() const noexcept {
  return looking_time(measured_costs.get(&sleep_.latency)) * ticks_per_microsecond();
}

/// Where 8 threads and more run they look for twice as long as a nap costs, in the mean: a nap is
/// for a call that ends, and not for blocks of 50 us in the middle of one. By bench/counted (EPYC
/// 7742) 16 threads gain 14.3 of a reduction of 10 ms for 13.0, and 15.7 for 14.2 of 256 steps of
/// 40 us. Of 32 and more it is one of eight that looks, for eight times as long, where that pays:
/// so after a rest a tree of wake-ups has eight roots in a pool of 64, the caller and the threads
/// that get groups of portions and lay these. 1 ms after the last call a loop of 10 ms gains 43
/// with them and 36 without on 64 threads, of 1 ms 10.3 and 7.6; on 32 24.7 and 23.8, 9.1 and 7.9.
/// On 24 they lose 2 %, on 16 1 %. With one thread of four 64 gain 43 and 12.7.
float Team::longest_backoff(const Worker& self) const noexcept {
  constexpr std::size_t kOneOf = 8;
  constexpr float kMany = 31;  // others that run
  constexpr float kSome = 7;
  if (others_running_ < kMany) return others_running_ < kSome ? 1 : 2;
  const bool looks_long =
      self.number() % kOneOf == kOneOf - 1 && static_cast<float>(self.number()) < others_running_;
  return looks_long ? kOneOf : 1;
}

void Team::fail_as_lost() noexcept {
  fail(
      "a forked child went back into the parallel call that it was forked from, or waits for tasks "
      "that its parent's threads run; "
      "end it with exec or _exit inside the body");
}

Guest& Team::claim_guest(Worker* host) {
  Guest& guest = guests_.claim(*this, host != nullptr, size_ - 1);
  guest.take_over(host, size_ == 1, greedy_);
  return guest;
}

void Team::tell_of_work(Worker& self) noexcept {
  if (self.alone()) [[unlikely]]
    return tell_of_task(self);
  self.tell_of_job();                // [sleep.F2] [sleep.F3]
  waits.ring_who_rests_for_tasks();  // [waits.Q6]
}

bool Team::idle() const noexcept {
  return Tally::all_ended([this](auto add) {
    add(outside_.tally());
    any_worker(0, [&](const Worker& worker) {
      add(worker.detached.tally());
      return false;
    });
  });
}

/// Checked by: tests/model/programs/pool_programs.hpp ("limits: a task under a limit of one")
/// Who listens has looked for mail after its own fence, or finds another value in the bell's word;
/// who sleeps likewise.
void Team::ring_all() noexcept {
  Atomics::fence();  // [mail.Q5] pairs with [bell.B2] [sleep.S2]
  any_worker(0, [](Worker& worker) {
    worker.bell().ring();
    return false;
  });
  sleep_.all_look_again();
}

void Team::mark_sleepers() noexcept {
  any_worker(0, [](Worker& worker) {
    worker.bell().mark_sleepers();
    return false;
  });
}

}  // namespace furca::detail
