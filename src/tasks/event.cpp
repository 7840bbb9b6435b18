#include <furca/detail/base/processor.hpp>
#include <furca/detail/tasks/event.hpp>

#include "../fork/mailbox.hpp"
#include "../fork/run.hpp"
#include "../measuring/backoff.hpp"
#include "../observing/span.hpp"
#include "../pool/pool.hpp"

#include <climits>
#include <new>

namespace furca::detail {

void Event::set() noexcept {
  // [event.Z6] pairs with Z7
  const std::uint32_t before = word_.exchange(kSet, std::memory_order_release);
  // [event.Q7] pairs with [sleep.S2] [bell.B2]
  Atomics::fence();
  // [event.Q8] pairs with Q5
  if (Pool* const pool = pool_.read()) pool->waits.tell();
  // [event.Q9] pairs with Q6
  if (Worker* const listener = listener_.read()) listener->bell().ring();
  if (before == kSomebodySleeps) Atomics::wake(word_, INT_MAX);
  // [event.Z8] pairs with Z9
  word_.store(kLeft, std::memory_order_release);
}

/// Without memory to work for the pool it tries again: perhaps no other thread does what it waits
/// for.
/// Checked by: tests/tasks/async_test.cpp ("a coroutine that waits for something else keeps its
/// pool busy, and may be resumed by anybody")
void Event::await(Pool* pool) noexcept {
  const PausedStrand paused;
  if (pool != nullptr && !is_set()) {
    // [event.Q5] pairs with Q8
    pool_.write(pool);
    const auto set = [this] { return is_set(); };
    while (!is_set()) {
      try {
        pool->waits.work_until(Until(set));
      } catch (const std::bad_alloc&) {
        Atomics::yield();
      }
    }
  }
  await_asleep();
}

/// Checked by: tests/compat/tasks_test.cpp ("isolate: a call to all threads is answered"),
/// tests/model/programs/waiting_programs.hpp ("event: who waits with mail")
void Event::await_with_mail(Worker& self) noexcept {
  const PausedStrand paused;
  // [event.Q6] pairs with Q9
  listener_.write(&self);
  Backoff backoff = self.team().backoff();
  while (!is_set()) {
    self.team().check_not_lost();
    if (Job* const mail = self.mailbox.receive()) {
      run_mail(self, *mail);
      backoff.reset();
    } else if (!backoff.exhausted()) {
      backoff.pause();
    } else {
      // [bell.B2] in the place of S2
      self.bell().listen([&] { return is_set() || self.mailbox.has_mail(); });
    }
  }
  await_asleep();
}

void Event::await_asleep() noexcept {
  while (!is_set()) {
    std::uint32_t word = 0;
    if (word_.compare_exchange_strong(word, kSomebodySleeps, std::memory_order_relaxed,
                                      std::memory_order_relaxed) ||
        word == kSomebodySleeps)
      Atomics::wait(word_, kSomebodySleeps);
  }
  // [event.Z9] pairs with Z8
  while (word_.load(std::memory_order_acquire) != kLeft) Atomics::yield();
}

}  // namespace furca::detail
