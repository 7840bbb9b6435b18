// Pools: how many threads, and which of them a call runs on.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/mistakes.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace furca {

namespace detail {
class Pool;
class Schedule;
class Worker;
}  // namespace detail

struct Stats;

/// What a thread does while it waits for an arm that somebody stole.
/// @snippet thread_pool.cpp WaitPolicy
enum class WaitPolicy : std::uint8_t {
  own_subtree,  ///< helps with the awaited arm only: a mutex held across a join is never taken again below it, and the stack
                ///< grows with the program's own nesting only
  greedy,       ///< helps with anything, while half of its stack is free: fewer idle moments, neither of the two promises
};

namespace detail {

/// A thread inside a pool: with a worker of its own there, from here to the end of the block.
///
/// A thread's visits are a list, the innermost first: the current worker knows the visit that made it current, and each visit knows the worker and the visit
/// before it. A worker may be in the list several times (A in B in A).
class FURCA_API Visit {
 public:
  enum class Deque : std::uint8_t { any, empty };

  /// Which worker, and whether it is a guest that leaves at the end.
  struct Entry {
    Worker& worker;
    bool as_guest;
  };

  /// With the worker of this pool that the thread has already, or as a guest. Throws std::bad_alloc. `Deque::empty`: with a worker whose deque is empty, so
  /// that it may run anything.
  explicit Visit(Pool& pool, Deque deque = Deque::any);
  explicit Visit(Entry entry) noexcept;
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  /// What was current before this visit, if anything, and the visit that that was in.
  Worker* before() const noexcept { return before_; }
  const Visit* outer() const noexcept { return outer_; }

 private:
  Worker* const before_;
  const Visit* const outer_;
  Worker& worker_;
  const Visit* const shadowed_;  // the visit that worker_ was in, further out
  const std::uint64_t forks_;    // how many lay behind this process when the visit began
  const bool as_guest_;
};

}  // namespace detail

/// How to build a ThreadPool. Every member has a default: ThreadPool({.threads = 8}).
/// @snippet thread_pool.cpp Config
struct Config {
  /// Threads that compute, the calling thread among them: one less is started. Unset: see num_threads().
  std::optional<std::size_t> threads = std::nullopt;
  /// The started threads are called name-0, name-1, ... (Linux keeps 15 characters).
  std::string name = "furca";
  /// Bytes of stack for each started thread, rounded up to whole pages; 0: the system's default.
  std::size_t stack_size = 0;
  /// What a thread of this pool does while it waits.
  WaitPolicy wait = WaitPolicy::own_subtree;
  /// Called on each started thread with its number (see thread_index()), before it looks for work: for what a thread needs, a profiler's
  /// registration or a floating-point mode. It may use the pool, by furca::join, furca::spawn, furca::broadcast and so on; the ThreadPool object itself may not
  /// be there yet. It runs when all threads have been started, and in none of them if one cannot be. The other threads do not rely on one that is in its hook; a pool's end
  /// waits for it. What it throws ends the program.
  std::function<void(std::size_t)> start_hook = nullptr;
  /// The same after it has done its last. What it spawns still runs, as a rule on the thread that destroys the pool.
  std::function<void(std::size_t)> exit_hook = nullptr;
  /// Called with what a spawned task has thrown, on the thread that ran it; may be called by several threads at once. None: the program ends,
  /// with a message (std::terminate). What the handler throws ends the program too.
  std::function<void(std::exception_ptr)> exception_handler = nullptr;
  /// How many spawned tasks may wait with one thread before half of them go to the queue that all threads share: a power of two, from 2 to 65,536.
  std::size_t queue_capacity = 256;
  /// How often a thread that has nothing to do looks for work before it sleeps, from 1 to 1,000,000. Unset: 80 times, in some 20 microseconds;
  /// less saves processor time in a program with short pauses, more saves the 5 to 50 microseconds of a wake-up.
  std::optional<std::size_t> steal_attempts = std::nullopt;
};

/// A fixed set of threads. Most programs need none: outside of install(), calls run on the global pool, which is started by the
/// first call and stopped at exit.
///
/// Thread-safety: any number of threads at once; construction and destruction once.
/// @snippet thread_pool.cpp ThreadPool
class FURCA_API ThreadPool : public detail::NotOfPools {
 public:
  /// Starts the threads. Throws std::invalid_argument when `threads` is 0 or more than 4096 or `stack_size` is less than the
  /// system's least; std::system_error when a thread cannot be started (those already started are stopped first);
  /// std::bad_alloc.
  explicit ThreadPool(const Config& config = {});

  /// @cond
  template <std::integral Number>
  explicit ThreadPool(Number) : ThreadPool(Config()) {
    static_assert(detail::kFits<Number>, "furca: what a pool is made of has names: write ThreadPool({.threads = 4})");
  }
  /// @endcond

  /// Runs the tasks that were spawned, and stops the threads. To destroy a pool from one of its own threads, or while a thread is inside
  /// install(), is an error: it prints a message and aborts.
  ~ThreadPool();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls f() on the calling thread, with this pool: the joins and loops in it run on the pool's threads and on the caller's.
  /// Returns what f returns, throws what it throws, and std::bad_alloc if a first-time caller finds no memory. Pools nest in
  /// any order: A.install inside B.install inside A.install takes up A's work where it was.
  template <std::invocable F>
  decltype(auto) install(F&& f) {
    const detail::Visit visit(*pool_);
    return std::forward<F>(f)();
  }

  // These are for any thread, inside the pool or outside, and need not wait for a thread to be free.

  /// As furca::spawn, in this pool (spawn.hpp).
  template <class F>
  detail::Detached& spawn(F&& f);

  /// As furca::spawn_task, in this pool (spawn.hpp).
  template <class F>
  auto spawn_task(F&& f);

  /// As furca::wait_idle, for this pool (spawn.hpp).
  void wait_idle();

  /// co_await pool.schedule() goes on on one of the pool's threads, as furca::schedule (async.hpp).
  detail::Schedule schedule() noexcept;

  /// As furca::broadcast, in this pool (broadcast.hpp).
  template <class F>
  auto broadcast(F&& f);

  /// Threads that compute, one caller among them.
  std::size_t size() const noexcept;

  /// What its threads have done so far, as furca::stats (stats.hpp).
  Stats stats() const;

  using NotOfPools::install;
  using NotOfPools::spawn;
  using NotOfPools::spawn_task;

 private:
  std::unique_ptr<detail::Pool> pool_;
};

/// The size of the pool that the caller runs on: inside install() that pool's, else the global one's. This starts no thread.
/// The global pool has FURCA_NUM_THREADS threads, else as many as the affinity mask and the CPU quota of the cgroup allow
/// (the smaller, the quota rounded up), at least 1.
/// @snippet thread_pool.cpp num_threads
FURCA_API std::size_t num_threads();

/// The caller's number in its pool: started threads have 0 .. num_threads() - 2, an outside thread the lowest free number from
/// num_threads() - 1 on. No two threads in a pool have the same at a time. An outside thread keeps its number in a ThreadPool
/// until install() returns, and in the global pool until the thread ends. So while one outside thread uses a pool, all numbers
/// are below num_threads(); with k of them, below num_threads() + k - 1. The thread that runs the tasks of a pool of one counts as one of them.
/// A thread that is in no pool joins the global one, and may throw std::bad_alloc then.
/// @snippet thread_pool.cpp thread_index
FURCA_API std::size_t thread_index();

}  // namespace furca
