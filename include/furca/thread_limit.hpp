// ThreadLimit: fewer threads for a while.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>

namespace furca {

namespace detail {

class Pool;

/// One limit of one pool, from here to the end of the block.
class FURCA_API Limit {
 public:
  /// Null: the global pool, which need not have started. Throws std::invalid_argument for no
  /// threads.
  Limit(Pool* pool, std::size_t threads);
  ~Limit();
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  /// The least that allows more than this one's pool has: no limit.
  static constexpr std::size_t kNone = SIZE_MAX;

  /// The least of those that live; kNone: there is none. Null: the global pool.
  static std::size_t least(const Pool* pool) noexcept;

 private:
  friend class Limits;

  Pool* const pool_;
  const std::size_t threads_;
  const std::uint64_t generation_;  // system forks behind this process when it began
  Limit* next_ = nullptr;           // in the list of all
};

}  // namespace detail

/// While it lives the pool that the calling thread was in, or outside of install() the global pool,
/// computes with at most so many threads, the caller among them. For a program that leaves
/// processors to others for a while, and for measuring how a program scales.
///
/// The other threads sleep, and no fork wakes them. When the constructor returns none of them takes
/// up work any more; one that is in the middle of a job (a stolen arm, its half of a loop, a task)
/// ends that first. At the end of the limit they are woken. Calls that run already keep going with
/// the threads that there are; calls cost what they cost without a limit.
///
/// Of several limits the least counts, whichever thread made it. Each outside thread counts for
/// itself, as without a limit: with k of them in the pool there are up to n + k - 1. With 1 a call
/// runs on its caller alone; spawned tasks, which need not wait for anybody, then still run on one
/// started thread. Which threads go on is fixed by their numbers, so a task can wait for the end of
/// a job that was under way on such a thread when the limit began; and a thread that waits in a job
/// for a task or a coroutine goes on to help others meanwhile. broadcast() calls all threads, those
/// that sleep too.
/// num_threads() and thread_index() do not change, so tables with an entry for each thread stay
/// right; in_force() tells the limit. More threads than the pool has are no limit.
/// A forked child has no limits. A ThreadPool must outlive its limits.
///
/// Rejected: calls that begin under a limit run in another, smaller pool. Each size would have
/// threads of its own, what runs already would not be limited, and each call would have to look
/// whether there is a limit. (For one's own calls alone, install() them in a ThreadPool of that
/// size.)
///
/// Cost: the threads are woken once, which takes some microseconds each. It starts no thread.
/// Thread-safety: any number of threads may have limits at once.
class [[nodiscard("a limit ends with its object: give it a name")]] FURCA_API ThreadLimit {
 public:
  /// Throws std::invalid_argument if `threads` is 0, or a negative number was made one.
  [[nodiscard("a limit ends with its object: give it a name")]]
  explicit ThreadLimit(std::size_t threads);

  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

  /// How many threads compute at most in the caller's pool, one caller included: the least of its
  /// limits, or num_threads(). It starts no thread.
  static std::size_t in_force();

 private:
  const detail::Limit limit_;
};

}  // namespace furca
