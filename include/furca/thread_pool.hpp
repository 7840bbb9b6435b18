// ThreadPool: how many threads there are, and which pool a call runs on.
#pragma once

#include <furca/detail/base/layout.hpp>
#include <furca/detail/mistakes/members.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/threads.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

FURCA_DECLARES(thread_pool);

namespace furca {

namespace detail {
class Detached;
class Pool;
class Schedule;
class Worker;

/// What a pool's members take: nothing until their headers are there (spawn.hpp, broadcast.hpp).
template <class F>
inline constexpr bool kSpawns = false;
template <class F>
inline constexpr bool kSpawnsResult = false;
template <class F>
inline constexpr bool kBroadcasts = false;

/// Other calls of pools.
class NotOfPools {
 public:
  /// @cond
  FURCA_MEMBER_SAYS(spawn, spawn,
                    "write pool.spawn([f, x] { f(x); }): a task is called without "
                    "arguments, and moved or copied; of a coroutine spawn what it returns")
  FURCA_MEMBER_SAYS(spawn_task, spawn,
                    "write pool.spawn_task([f, x] { return f(x); }): a task is "
                    "called without arguments, moved or copied, and so is what it returns")
  FURCA_MEMBER_SAYS(broadcast, broadcast,
                    "write pool.broadcast([&] { f(x); }): f is called without "
                    "arguments; what it returns can be moved, and is no reference")
  FURCA_MEMBER_SAYS(install, thread_pool,
                    "write pool.install([&] { return f(x); }): f is called "
                    "without arguments")
#define FURCA_INSTALL(name, call)                                        \
  FURCA_MEMBER_SAYS(name, thread_pool,                                   \
                    "a call runs on the pool that it is made in: write " \
                    "pool.install([&] { return furca::" call "(...); })")
  FURCA_INSTALL(parallel_for, "parallel_for")
  FURCA_INSTALL(parallel_for_chunks, "parallel_for_chunks")
  FURCA_INSTALL(parallel_reduce, "parallel_reduce")
  FURCA_INSTALL(parallel_reduce_chunks, "parallel_reduce_chunks")
  FURCA_INSTALL(join, "join")
  FURCA_INSTALL(scope, "scope")
#undef FURCA_INSTALL
  FURCA_MEMBER_SAYS(submit, thread_pool,
                    "write pool.spawn_task(f), whose join() returns the "
                    "result, or pool.spawn(f)")
  FURCA_MEMBER_SAYS(enqueue, thread_pool, "write pool.spawn(f)")
  /// @endcond
};

/// Names that the number of threads has elsewhere. With `{}`: as in NamedOptions.
struct OtherConfig {
  Any concurrency{}, max_threads{}, num_threads{}, num_workers{}, thread_count{}, workers{};
};
}  // namespace detail

struct FURCA_LAYOUT Stats;

/// What a thread runs while it waits for a stolen arm.
enum class WaitPolicy : std::uint8_t {
  /// only what the awaited arm has forked. No unrelated job runs on top of a waiting one, so a
  /// mutex may be held across a join, and the stack grows only with the program's own nesting
  own_subtree,
  /// anything, while half of its stack is free: less idle time, but neither of the two guarantees
  greedy,
};

namespace detail {

/// A thread inside a pool: with a worker of its own there, from here to the end of the block.
///
/// A thread's visits are a list, the innermost first: the current worker knows the visit that made
/// it current, and each visit knows the worker and the visit before it. A worker may be in the list
/// several times (A in B in A).
class FURCA_API Visit {
 public:
  enum class Deque : std::uint8_t { any, empty };

  /// Which worker, and whether it is a guest that leaves at the end.
  struct Entry {
    Worker& worker;
    bool as_guest;
  };

  /// With the worker of this pool that the thread has already, or as a guest. Throws
  /// std::bad_alloc. `Deque::empty`: with a worker whose deque is empty, so that it may run
  /// anything.
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
  const Visit* const shadowed_;     // the visit that worker_ was in, further out
  const std::uint64_t generation_;  // system forks behind this process when the visit began
  const bool as_guest_;
};

}  // namespace detail

/// Options of a ThreadPool: ThreadPool({.threads = 8}). Every member has a default.
struct FURCA_LAYOUT Config {
  /// The number of computing threads, including the calling thread: the pool starts one less.
  /// Unset: see num_threads().
  std::optional<std::size_t> threads = std::nullopt;
  /// The started threads are called name-0, name-1, ... (Linux keeps 15 characters).
  std::string name = "furca";
  /// Bytes of stack for each started thread, rounded up to whole pages; 0: the system's default,
  /// but on Linux and macOS as many as the first thread may have, up to 8 MiB.
  /// The system's least, 16 KiB on many, is enough for furca's loops, joins and tasks, and leaves
  /// little to bodies: their frames, and those of what they call and fork, must fit. Less than 64
  /// KiB is for bodies that call nothing: furca::sort alone takes more than 8 KiB.
  std::size_t stack_size = 0;
  /// What a thread of this pool runs while it waits.
  WaitPolicy wait = WaitPolicy::own_subtree;
  /// Called on each started thread with its number (see thread_index()) before the thread looks for
  /// work: to register it with a profiler, to set its floating-point mode. It is called after all
  /// threads have been started, or not at all if one cannot be started. It may use the pool through
  /// furca::join, furca::spawn, furca::broadcast and so on; the ThreadPool object may not be
  /// constructed yet. Other threads do not wait for it; the end of the pool does. An exception ends
  /// the program.
  std::function<void(std::size_t)> start_hook = nullptr;
  /// The same, after the thread's last job. Tasks that it spawns still run, usually on the thread
  /// that destroys the pool.
  std::function<void(std::size_t)> exit_hook = nullptr;
  /// Called with each exception that a spawned task throws, on the thread that ran the task,
  /// possibly by several threads at once. Without a handler such an exception prints a message and
  /// calls std::terminate; so does one thrown by the handler.
  std::function<void(std::exception_ptr)> exception_handler = nullptr;
  /// How many spawned tasks one thread's queue holds; if it is full, half of them move to the
  /// pool's common queue, which makes each of these cost some 8 ns more. It takes 12 bytes for each
  /// of them and each thread. A power of two, from 2 to 65,536.
  std::size_t queue_capacity = 256;
  /// How many times an idle thread looks for work before it sleeps, from 1 to 1,000,000. Unset: for
  /// as long as falling asleep and being woken take on this machine, at most 50 microseconds, and
  /// less if it is seldom needed soon again. Less saves processor time in a program with short
  /// pauses; more saves wake-ups, which take 5 to 50 microseconds.
  std::optional<std::size_t> steal_attempts = std::nullopt;
  /// Each started thread stays on one processor of the affinity mask of the thread that makes the
  /// pool; with more threads than processors some share one. Numbers that follow each other are
  /// near each other: first one hardware thread of each core, by memory node and last-level cache,
  /// then the others. The calling thread is left alone, and the first of these processors is left
  /// to it. For machines with several memory nodes or caches on which nothing else computes: in a
  /// row of loops over one range each thread has the part that it had, beside the memory that it
  /// has written first. Elsewhere the system places threads better. It is a hint: where the system
  /// does not allow it, as macOS, nothing is bound. Pools that a bound thread makes, and
  /// children that it forks, have all those processors again; a std::thread that it starts, or a
  /// program in another way than by fork, has that one, unless it changes that. Two bound pools, or
  /// two processes with one each, take the same processors, unless their makers' masks differ. The
  /// global pool is bound by FURCA_BIND=1.
  bool bind = false;
};

namespace detail {

/// A Config on its way from the program into the library, without a std::string: that has another
/// layout in a unit that is compiled with the older ABI.
struct CrossingConfig {
  const char* name;
  std::optional<std::size_t> threads, steal_attempts;
  std::size_t stack_size, queue_capacity;
  WaitPolicy wait;
  bool bind;
  const std::function<void(std::size_t)>*start_hook, *exit_hook;
  const std::function<void(std::exception_ptr)>* exception_handler;
};

}  // namespace detail

/// A fixed set of threads. Most programs need none: outside of install(), calls run on the global
/// pool, which starts with the first call and stops at exit.
///
/// Thread-safety: any number of threads may use it at once; one constructs and one destroys it.
class FURCA_API ThreadPool : public detail::NotOfPools {
 public:
  /// Starts the threads. Throws std::invalid_argument if `threads` is 0 or more than 4096, if
  /// `stack_size` is less than the system's minimum, or if queue_capacity or steal_attempts is out
  /// of range; std::system_error if a thread cannot be started, after stopping those that were;
  /// std::bad_alloc.
  explicit ThreadPool(const Config& config = {})
      : ThreadPool(
            detail::CrossingConfig{config.name.c_str(), config.threads, config.steal_attempts,
                                   config.stack_size, config.queue_capacity, config.wait,
                                   config.bind, &config.start_hook, &config.exit_hook,
                                   &config.exception_handler},
            nullptr) {}

  FURCA_REFUSES("furca: what a pool is made of has names: write ThreadPool({.threads = 4})",
                std::integral Number, explicit ThreadPool(Number));
  FURCA_REFUSES("furca: the number of threads is called so: write ThreadPool({.threads = 4})",
                std::same_as<ThreadPool> Self = ThreadPool,
                explicit ThreadPool(detail::OtherConfig));

  /// Runs all spawned tasks, then stops the threads. Destroying a pool on one of its own threads,
  /// or while a thread is inside install(), prints a message and aborts.
  ~ThreadPool();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls f() on the calling thread; joins, loops and tasks in it run on this pool. Returns what f
  /// returns. Throws what f throws, and std::bad_alloc at a thread's first call. Installs nest in
  /// any order: A.install inside B.install inside A.install continues with A's work.
  template <std::invocable F>
  decltype(auto) install(F&& f) {
    const detail::Visit visit(*pool_);
    return std::forward<F>(f)();
  }

  // Any thread may call these, inside the pool or outside. None needs a free thread of the pool.

  /// As furca::spawn, in this pool (spawn.hpp).
  template <class F>
    requires detail::kSpawns<F>
  detail::Detached& spawn(F&& f);

  /// As furca::spawn_task, in this pool (spawn.hpp).
  template <class F>
    requires detail::kSpawnsResult<F>
  auto spawn_task(F&& f);

  /// As furca::wait_idle, for this pool (spawn.hpp).
  void wait_idle();

  /// co_await pool.schedule() resumes the coroutine on a thread of this pool, as furca::schedule
  /// (async.hpp).
  detail::Schedule schedule() noexcept;

  /// As furca::broadcast, in this pool (broadcast.hpp).
  template <class F>
    requires detail::kBroadcasts<F>
  auto broadcast(F&& f);

  /// The number of computing threads, including one caller.
  std::size_t size() const noexcept;

  /// Statistics of this pool, as furca::stats (stats.hpp).
  Stats stats() const;

  using NotOfPools::broadcast;
  using NotOfPools::install;
  using NotOfPools::spawn;
  using NotOfPools::spawn_task;

 private:
  // Two parameters: ThreadPool({...}) must mean a Config.
  ThreadPool(const detail::CrossingConfig& config, std::nullptr_t);

  std::unique_ptr<detail::Pool> pool_;
};

}  // namespace furca
