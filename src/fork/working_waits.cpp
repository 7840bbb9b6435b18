#include "working_waits.hpp"

#include "../observing/span.hpp"
#include "../queues/detached_tasks.hpp"
#include "../system/placement.hpp"
#include "../system/thread.hpp"
#include "team.hpp"

#include <exception>
#include <new>
#include <optional>

namespace furca::detail {

void WorkingWaits::work_until(const Until& over) {
  if (over()) return;
  const PausedStrand paused;
  const bool seated = has_seat();
  const Visit visit(team_.pool(), Visit::Deque::empty);
  Worker& self = *Worker::if_any();
  const bool sits_down = !seated && claim_seat(self, over);
  // Else it was over. It may not be so any more: others spawn, and a pool that was idle is not.
  if (seated || sits_down || team_.sleep().stopping()) work_here(self, over);
  if (sits_down) leave_seat();
}

void WorkingWaits::work_here(Worker& self, const Until& over) noexcept {
  // where the system does not tell how large a stack is
  constexpr std::uint32_t kWaitsOnAStack = 64;
  const std::uint32_t waits = self.detached.waits();
  const bool full = Thread::middle_of_stack() != nullptr ? Thread::past_middle_of_stack()
                                                         : waits % kWaitsOnAStack == 0;
  if (waits > 0 && full && work_on_another_stack(self, over)) return;
  work_as(self, over);
}

/// Checked by: tests/compat/tasks_test.cpp
/// ("tasks that wait for a group nest so deep and no deeper")
void WorkingWaits::work_as(Worker& self, const Until& over) noexcept {
  const std::uint32_t waits = self.detached.waits();
  self.detached.set_waits(waits + 1);
  if (waits >= kMostWaits) {
    rest_until(self, over, true);
  } else {
    waiting_.add(1);
    self.search.work_until(over);
    waiting_.subtract(1);
  }
  self.detached.set_waits(waits);
}

/// Tasks that wait, and run others meanwhile, may lie on each other as deep as there are tasks.
/// Where half of the stack is taken another thread goes on in the place of this one, which sleeps
/// until that is through: so as many threads compute as before. False: there is no thread to be
/// had, or no memory, and the other half of the stack must do.
/// Checked by: tests/tasks/async_test.cpp ("tasks that wait for coroutines do not outgrow the
/// stack")
bool WorkingWaits::work_on_another_stack(Worker& host, const Until& over) noexcept {
  struct StandIn {
    WorkingWaits& threads;
    Worker& host;
    const Until& over;
    std::optional<Binding> binding;
    bool worked;
  } stand_in{*this, host, over, find_binding(), false};
  const auto hand_over_all = [] {
    find_on_this_thread([](Worker& worker) {
      worker.deque().hand_over();
      return false;
    });
  };
  try {
    hand_over_all();
    Thread thread = new_thread(
        team_.pool(),
        [](void* argument) {
          auto& self = *static_cast<StandIn*>(argument);
          if (self.binding) bind(*self.binding);
          Worker::become(&self.host);  // and so it finds itself wherever the other one is
          self.worked = self.threads.stand_in_for(self.host, self.over);
          Worker::become(nullptr);
        },
        &stand_in, host);
    thread.join();
  } catch (const std::exception&) {
  }
  hand_over_all();
  return stand_in.worked;
}

/// It has the host's number, and answers its mail. It runs no hooks: those are for each number
/// once.
bool WorkingWaits::stand_in_for(Worker& host, const Until& over) noexcept {
  Worker* guest = nullptr;
  try {
    guest = &team_.claim_guest(&host);
  } catch (const std::bad_alloc&) {
    return false;
  }
  const Visit visit({*guest, true});
  work_as(*guest, over);
  return true;
}

/// Somebody may wait for what a thread does in a job, or for what lies in its deque: so it works.
/// A pool of one has no such threads, but those that sit.
bool WorkingWaits::has_seat() const noexcept {
  if (team_.sleep().stopping()) return true;  // its threads may be in tasks that never end
  return find_on_this_thread([this](const Worker& worker) {
           if (&worker.team() != &team_) return false;
           if (worker.search.is_on_started_thread() || worker.detached.is_working() ||
               worker.tasks_running > 0)
             return true;
           return !worker.alone() && (worker.jobs.read() > 0 || !worker.nothing_to_steal());
         }) != nullptr;
}

/// Checked by: tests/model/programs/pool_programs.hpp ("seats: two wait, and one task runs at a
/// time")
bool WorkingWaits::claim_seat(Worker& self, const Until& over) noexcept {
  if (seats_.claim()) return true;
  bool taken = false;
  const auto goes_on = [&] { return taken || over() || (taken = seats_.claim()); };
  rest(self, Until(goes_on));
  return taken;
}

void WorkingWaits::rest(Worker& self, const Until& over) noexcept {
  const auto goes_on = [&] { return over() || team_.sleep().stopping(); };
  Backoff backoff = team_.backoff();
  for (; !goes_on() && !backoff.exhausted(); backoff.pause()) team_.check_not_lost();
  if (!goes_on()) rest_until(self, Until(goes_on), false);
}

void WorkingWaits::leave_seat() noexcept {
  seats_.leave();
  tell_resting();
}

void WorkingWaits::rest_until(Worker& self, const Until& over, bool tasks) noexcept {
  resting_.add(1);
  if (tasks) resting_for_tasks_.add(1);
  self.search.rest_until(over, tasks);
  if (tasks) resting_for_tasks_.subtract(1);
  resting_.subtract(1);
}

void WorkingWaits::tell_resting() noexcept {
  // [waits.Z3] pairs with [bell.B2]
  Atomics::asymmetric() ? Atomics::light_fence() : Atomics::fence();
  // [waits.R4] pairs with [bell.B1]
  if (resting_.read() != 0) ring_resting();
}

void WorkingWaits::tell_if_idle() noexcept {
  Atomics::fence();  // [waits.Z3] pairs with [sleep.S2] [bell.B2]
  const std::uint32_t waiting = waiting_.read() + resting_.read();
  if (waiting != 0 && team_.idle()) tell();
}

void WorkingWaits::tell() noexcept {
  Atomics::fence();          // [waits.Z3] pairs with [sleep.S2] [bell.B2]
  if (waiting_.read() != 0)  // [waits.Z4] pairs with [sleep.S1]
    team_.sleep().all_look_again();
  // [waits.R4] pairs with [bell.B1]
  if (resting_.read() != 0) ring_resting();
}

void WorkingWaits::ring_resting() noexcept {
  team_.any_worker(0, [](Worker& worker) {
    worker.bell().ring();
    return false;
  });
}

}  // namespace furca::detail
