// The last seats of a pool: the right to run its detached tasks.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <atomic>
#include <cstdint>

namespace furca::detail {

/// A pool of n runs detached tasks on n threads at the most. Each thread that it has started for
/// good has a seat. The last one is for one thread at a time that came from outside and waits; in a
/// pool of one for the task thread as well, and under a limit of one for the first started thread.
/// (An arena of the look-alike has as many last seats as reserved places.)
///
/// who leaves                              who sits down
///   what it did as a task                   [seats.G7] one fewer         acquire
///   [seats.G8] one more           release         runs tasks
/// A thread that finds none rests (Waits), and is told when one is free.
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

}  // namespace furca::detail
