// The last of a pool's seats: the right to run its detached tasks.
#pragma once

#include <furca/detail/atomics.hpp>

#include <atomic>

namespace furca::detail {

/// A pool of n runs detached tasks on n threads at the most. Each thread that it has started for
/// good has a seat. The last one is for one thread at a time that came from outside and waits; in a
/// pool of one for the task thread as well, and under a limit of one for the first started thread.
///
/// who leaves                              who sits down
///   what it did as a task                   [G7] taken             acquire
///   [G8] free               release         runs tasks
/// Who finds it taken rests (PatientThreads), and is told when it is free.
///
/// Rejected: in a pool of one whoever waits may run tasks, and the task thread stops meanwhile. Each
/// wait would end with a wake-up of the task thread, and tasks would change threads.
class Seat {
 public:
  /// Any thread. False: another one has it.
  bool take() noexcept {
    return !taken_.load(std::memory_order_relaxed) &&
           !taken_.exchange(true, std::memory_order_acquire);  // [G7] pairs with [G8]
  }

  void leave() noexcept {
    taken_.exchange(false, std::memory_order_release);  // [G8] pairs with [G7]
  }

 private:
  Atomics::Atomic<bool> taken_{false};
};

}  // namespace furca::detail
