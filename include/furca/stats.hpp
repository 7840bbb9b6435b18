// What the threads of a pool have done: stats(), and debug_dump() for debuggers.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/thread_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace furca {

/// What one thread has done in its pool so far. Counts only grow: take the difference of two for what happened in between.
///
/// A fork that its own thread takes back is in none of them: to count it would take longer than to do it.
/// @snippet stats.cpp WorkerStats
struct WorkerStats {
  /// The thread's, if the pool started it; else caller-N, for the outside threads that have come in with number N, or nested-N, for threads that have worked for
  /// the pool while they waited in the middle of a join.
  std::string name;
  bool started = false;  ///< by the pool
  std::uint64_t jobs_run = 0;      ///< stolen arms, halves of loops and scopes' tasks, detached tasks, and what was sent to this thread
  std::uint64_t steals_tried = 0;  ///< looks into another thread's deque or queue
  std::uint64_t steals_won = 0;    ///< of these, how many brought something
  std::uint64_t parks = 0;         ///< how often it went to sleep
  /// Process-wide fences (membarrier): those that thieves issued for this thread's deque, and its own before it slept.
  std::uint64_t heavy_fences = 0;
  double seconds = 0;              ///< since the thread was started, or a caller first came in
  double idle_seconds = 0;         ///< of these, how long it looked for work, waited for others, or slept
  std::size_t stack_high_water = 0;  ///< bytes of stack that a started thread has used, in whole pages; 0: not known

  /// The share of its time in which it did not look for work, wait or sleep. A caller's time outside of furca counts as busy.
  double busy() const noexcept { return seconds > 0 ? 1 - idle_seconds / seconds : 0; }
};

/// What a pool has done so far.
/// @snippet stats.cpp stats
struct Stats {
  std::vector<WorkerStats> workers;  ///< the started threads first, in the order of their numbers
  std::uint64_t wakes = 0;           ///< how often a sleeping thread was woken because there was work
  double seconds = 0;                ///< since the pool was started

  /// All threads together: sums, and of stack_high_water the largest.
  FURCA_API WorkerStats total() const;
};

/// What the pool that the caller runs on has done: inside install() that pool's, else the global one's. Starts the global pool if need be.
///
/// Counting goes on all the time, and costs next to nothing. With FURCA_STATS=1 every pool prints its own on stderr when it ends.
/// Cost: some microseconds for each thread. The threads go on meanwhile, so the counts are those of slightly different moments.
/// Throws std::bad_alloc. Thread-safety: any thread.
/// @snippet stats.cpp furca::stats
FURCA_API Stats stats();

/// Prints on stderr what every thread of every pool does just now, and what waits in its deque and queue. For debuggers: call furca::debug_dump().
///
/// Allocates nothing, and waits for nobody: what it prints of a pool that ends meanwhile may be incomplete.
/// Thread-safety: any thread, also while others are stopped.
/// @snippet stats.cpp debug_dump
FURCA_API void debug_dump() noexcept;

}  // namespace furca
