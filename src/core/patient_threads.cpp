#include "patient_threads.hpp"

#include "../observing/span.hpp"
#include "../system/placement.hpp"
#include "../system/thread.hpp"
#include "pool.hpp"

#include <exception>
#include <new>
#include <optional>

namespace furca::detail {

void PatientThreads::work_until(const Until& over) {
  if (over()) return;
  const Waiting waiting;
  const Visit visit(pool_, Visit::Deque::empty);
  Participant& self = Participant::of(*Worker::if_any());
  constexpr std::uint32_t kWaitsOnAStack = 64;  // where the system does not tell how large a stack is
  const std::uint32_t waits = self.detached.waits();
  const bool full = Thread::middle_of_stack() != nullptr ? Thread::past_middle_of_stack() : waits % kWaitsOnAStack == 0;
  if (waits > 0 && full && work_on_another_stack(self, over)) return;
  work_as(self, over);
}

void PatientThreads::work_as(Participant& self, const Until& over) noexcept {
  patient_.fetch_add(1, std::memory_order_relaxed);
  self.detached.set_waits(self.detached.waits() + 1);
  pool_.sleep().start_looking();
  self.search.work_until(over);
  pool_.sleep().work_found();
  self.detached.set_waits(self.detached.waits() - 1);
  patient_.fetch_sub(1, std::memory_order_relaxed);
}

/// Tasks that wait, and run others meanwhile, may lie on each other as deep as there are tasks. Where half of the stack is taken another thread goes on in the
/// place of this one, which sleeps until that is through: so as many threads compute as before. False: there is no thread to be had, or no memory, and
/// the other half of the stack must do.
/// Checked by: tests/async_test.cpp ("tasks that wait for coroutines do not outgrow the stack")
bool PatientThreads::work_on_another_stack(Participant& host, const Until& over) noexcept {
  struct StandIn {
    PatientThreads& threads;
    Participant& host;
    const Until& over;
    std::optional<Binding> binding;
    bool worked;
  } stand_in{*this, host, over, find_binding(), false};
  const auto hand_over_all = [] {
    Participant::find_on_this_thread([](Participant& worker) {
      worker.hand_over();
      return false;
    });
  };
  try {
    hand_over_all();
    Thread thread = pool_.new_thread(
        [](void* argument) {
          auto& self = *static_cast<StandIn*>(argument);
          if (self.binding) bind(*self.binding);
          Participant::become(&self.host);  // and so it finds itself wherever the other one is
          self.worked = self.threads.stand_in_for(self.host, self.over);
          Participant::become(nullptr);
        },
        &stand_in, host);
    thread.join();
  } catch (const std::exception&) {
  }
  hand_over_all();
  return stand_in.worked;
}

/// It has the host's number, and answers its mail. It runs no hooks: those are for each number once.
bool PatientThreads::stand_in_for(Participant& host, const Until& over) noexcept {
  Participant* guest = nullptr;
  try {
    guest = &pool_.claim_guest(&host);
  } catch (const std::bad_alloc&) {
    return false;
  }
  const Visit visit({*guest, true});
  work_as(*guest, over);
  return true;
}

void PatientThreads::tell() noexcept {
  Atomics::fence();                                                             // [Z3] pairs with [S2]
  if (patient_.load(std::memory_order_relaxed) != 0) pool_.sleep().tell_all();  // [Z4] pairs with [S1]
}

void PatientThreads::tell_if_idle() noexcept {
  Atomics::fence();                                                                                // [Z3] pairs with [S2]
  if (patient_.load(std::memory_order_relaxed) != 0 && pool_.idle()) pool_.sleep().tell_all();    // [Z4] pairs with [S1]
}

}  // namespace furca::detail
