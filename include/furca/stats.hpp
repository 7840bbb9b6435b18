// Statistics of a pool: stats(); and debug_dump() for debuggers.
#pragma once

#include <furca/detail/base/layout.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/thread_pool.hpp>

#include <string>
#include <vector>

FURCA_DECLARES(stats);

namespace furca::found_by_name {
FURCA_SAYS(stats, "write stats()")
FURCA_SAYS(debug_dump, "write debug_dump()")
}  // namespace furca::found_by_name

namespace furca {

/// What one thread has done in its pool so far, in numbers. They only grow: subtract an earlier one
/// to get what happened in between.
///
/// Forks that their own thread takes back are not counted: counting would take longer than the
/// fork.
/// @snippet stats.cpp WorkerStats
struct FURCA_LAYOUT WorkerCounts {
  bool started = false;  ///< the pool started this thread
  /// stolen arms, halves of loops and tasks of scopes; detached tasks; calls of broadcasts
  std::uint64_t jobs_run = 0;
  std::uint64_t steals_tried = 0;  ///< attempts to take from another thread's deque or queue
  std::uint64_t steals_won = 0;    ///< successful attempts
  std::uint64_t parks = 0;         ///< how often it went to sleep
  /// Process-wide fences (membarrier): those issued by thieves of this thread's deque, and its own
  /// before sleeping.
  std::uint64_t heavy_fences = 0;
  double seconds = 0;  ///< since the thread was started, or since a caller's first call
  /// the part of `seconds` in which it looked for work, waited or slept
  double idle_seconds = 0;
  /// bytes of stack that a started thread has ever used, in whole pages; 0: unknown
  std::size_t stack_high_water = 0;

  /// The share of `seconds` in which the thread was not idle. A caller's time outside of furca
  /// counts as busy.
  double busy() const noexcept { return seconds > 0 ? 1 - idle_seconds / seconds : 0; }

  /// Adds what another thread has done; of stack_high_water, the maximum.
  WorkerCounts& operator+=(const WorkerCounts& other) noexcept {
    jobs_run += other.jobs_run;
    steals_tried += other.steals_tried;
    steals_won += other.steals_won;
    parks += other.parks;
    heavy_fences += other.heavy_fences;
    seconds += other.seconds;
    idle_seconds += other.idle_seconds;
    if (other.stack_high_water > stack_high_water) stack_high_water = other.stack_high_water;
    return *this;
  }
};

/// What one thread has done in its pool so far.
struct FURCA_LAYOUT WorkerStats : WorkerCounts {
  /// The thread's name if the pool started it; caller-N for all outside threads that have used
  /// number N; nested-N for threads that have worked for the pool while they waited in a join.
  std::string name;
};

/// Statistics of a pool.
/// @snippet stats.cpp stats
struct FURCA_LAYOUT Stats {
  std::vector<WorkerStats> workers;  ///< the started threads first, in the order of their numbers
  /// how often a sleeping thread was woken because there was work
  std::uint64_t wakes = 0;
  double seconds = 0;  ///< since the pool was started

  /// The sums over all threads; of stack_high_water, the maximum.
  WorkerStats total() const {
    WorkerStats sum;
    sum.name = "total";
    for (const WorkerStats& worker : workers) sum += worker;
    return sum;
  }
};

namespace detail {

/// Statistics on their way from the library into the program: a vector would have another layout
/// in a unit that is compiled with -D_GLIBCXX_DEBUG, and a string in one with the older ABI.
struct CrossingStats {
  void (*add)(void* to, const char* name, const WorkerCounts& counts);
  void* to;
  std::uint64_t wakes;
  double seconds;
};

/// Null: the pool that the caller runs on.
FURCA_API void read_stats(const Pool* pool, CrossingStats& stats);

inline Stats stats_of(const Pool* pool) {
  Stats stats;
  CrossingStats crossing{[](void* to, const char* name, const WorkerCounts& counts) {
                           static_cast<Stats*>(to)->workers.push_back({counts, name});
                         },
                         &stats, 0, 0};
  read_stats(pool, crossing);
  stats.wakes = crossing.wakes;
  stats.seconds = crossing.seconds;
  return stats;
}

}  // namespace detail

/// Statistics of the pool that the caller runs on: inside install() that pool, otherwise the global
/// pool, which it starts if necessary.
///
/// Counting is always on and costs next to nothing. With FURCA_STATS=1 every pool prints its
/// statistics on stderr when it ends.
/// The threads keep running meanwhile, so the counts are of slightly different moments. Throws
/// std::bad_alloc.
/// Cost: some microseconds for each thread. Thread-safety: any thread.
/// @snippet stats.cpp furca::stats
inline Stats stats() { return detail::stats_of(nullptr); }

/// Prints on stderr what every thread of every pool is doing, and what waits in its deque and
/// queue. For debuggers: call furca::debug_dump().
///
/// Allocates nothing and never waits. Its output may be incomplete for a pool that is being
/// destroyed.
/// Thread-safety: any thread, also while others are stopped.
FURCA_API void debug_dump() noexcept;

inline Stats ThreadPool::stats() const { return detail::stats_of(pool_.get()); }

}  // namespace furca
