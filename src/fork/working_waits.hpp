// Threads that wait for something of their own, as idleness or a coroutine's end, and work for the
// pool meanwhile.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/relaxed.hpp>

#include "../system/thread.hpp"
#include "work_search.hpp"

#include <atomic>
#include <cstdint>

namespace furca::detail {

class Worker;
class Pool;
class Team;

/// Another thread, with that worker's name: the pool's business. Throws std::system_error,
/// std::bad_alloc.
Thread new_thread(const Pool& pool, Thread::Entry entry, void* argument, const Worker& worker);

/// The last seats of a pool: the right to run its detached tasks.
///
/// A pool of n runs them on n threads at the most. Each thread that it has started for good has a
/// seat. The last one is for one thread at a time that came from outside and waits; in a pool of
/// one for the task thread as well, and under a limit of one for the first started thread.
/// (An arena of the look-alike has as many last seats as reserved places.)
///
/// who leaves                              who sits down
///   what it did as a task                   [seats.G7] one fewer         acquire
///   [seats.G8] one more           release         runs tasks
/// A thread that finds none rests (WorkingWaits), and is told when one is free.
///
/// Rejected: in a pool of one whoever waits may run tasks, and the task thread stops meanwhile.
/// Each wait would end with a wake-up of the task thread, and tasks would change threads.
/// Checked by: tests/model/programs/pool_programs.hpp
/// ("seats: who sits down sees what was done there before"),
/// tests/tasks/spawn_test.cpp ("tasks run on no more threads than the pool has, however many wait")
class Seats {
 public:
  /// Before any thread asks for one.
  void set(std::uint32_t seats) noexcept { free_.store(seats, std::memory_order_relaxed); }

  /// Any thread. False: others have them.
  bool claim() noexcept {
    std::uint32_t free = free_.load(std::memory_order_relaxed);
    while (free != 0) {
      // [seats.G7] pairs with G8
      if (free_.compare_exchange_weak(free, free - 1, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  void leave() noexcept {
    free_.fetch_add(1, std::memory_order_release);  // [seats.G8] pairs with G7
  }

 private:
  Atomics::Atomic<std::uint32_t> free_{1};
};

/// Invariants:
/// - a thread is counted here from before it looks whether what it waits for has come about, until
///   it has;
/// - meanwhile it counts as looking, asleep or active, like a started thread (sleep.hpp): who posts
///   something may rely on it as long as it looks, and must wake it if none looks;
/// - where half of a stack is taken no further wait works on top of it, as long as there is another
///   thread to be had;
/// - a thread runs tasks in a wait only if it has a seat (Seats). One that has none rests: it
///   is counted as resting, and active to the sleep protocol, so nobody relies on it;
/// - with kMostWaits waits below it a thread takes no forks any more: these are their owners' then.
/// How they are told: sleep.md.
/// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a coroutine goes to the pool and
/// back", "seats: two wait, and one task runs at a time")
class WorkingWaits {
 public:
  explicit WorkingWaits(Team& team) noexcept : team_(team) {}
  WorkingWaits(const WorkingWaits&) = delete;
  WorkingWaits& operator=(const WorkingWaits&) = delete;

  /// The calling thread works for the pool until it is `over`. The thread that makes it over calls
  /// tell() afterwards. Throws std::bad_alloc.
  void work_until(const Until& over);

  /// The same on this stack and as `self`, which is the calling thread's current worker and has an
  /// empty deque.
  void work_as(Worker& self, const Until& over) noexcept;

  /// Before any thread waits: how many last seats there are.
  void set_seats(std::uint32_t seats) noexcept { seats_.set(seats); }

  /// The calling thread runs tasks of this pool already, may have to for those who wait for it, or
  /// was started for that. In a pool of one only the latter, and whoever sits there.
  bool has_seat() const noexcept;

  /// The calling thread, which `self` belongs to and has no seat: takes a last one, and rests as
  /// long as others have those. False: it is `over`, or the pool stops, and it has not taken it.
  bool claim_seat(Worker& self, const Until& over) noexcept;
  void leave_seat() noexcept;

  /// The same, without taking one: it just rests.
  void rest(Worker& self, const Until& over) noexcept;

  /// The calling thread, which `self` belongs to, rests at once; see WorkSearch::rest_until.
  void rest_until(Worker& self, const Until& over, bool tasks) noexcept;

  /// What a thread that rests waits for may have come about.
  void tell_resting() noexcept;

  /// A task was published, and then a light fence, or one that is not, was passed: who rests and
  /// runs tasks looks for it.
  void ring_who_rests_for_tasks() noexcept {
    const bool some = resting_for_tasks_.read() != 0;  // [waits.Q6]
    if (some) [[unlikely]]
      ring_resting();
  }

  /// What some thread here waits for has come about.
  void tell() noexcept;

  /// A task has ended: perhaps it was the last.
  void tell_if_idle() noexcept;

 private:
  void work_here(Worker& self, const Until& over) noexcept;
  bool work_on_another_stack(Worker& host, const Until& over) noexcept;
  bool stand_in_for(Worker& host, const Until& over) noexcept;
  void ring_resting() noexcept;

  /// As many as fit on a stack of some megabytes, as a rule.
  static constexpr std::uint32_t kMostWaits = 1'024;

  Team& team_;
  Seats seats_;
  alignas(kCacheLine) SeamRelaxed<std::uint32_t> waiting_{0};
  SeamRelaxed<std::uint32_t> resting_{0};
  SeamRelaxed<std::uint32_t> resting_for_tasks_{0};  // of these, who run tasks as well
};

}  // namespace furca::detail
