// The pool: started threads, the door for outside threads (guests), start and stop.
#pragma once

#include <furca/stats.hpp>
#include <furca/thread_pool.hpp>

#include "../fork/team.hpp"
#include "../system/placement.hpp"
#include "../system/thread.hpp"
#include "global.hpp"
#include "pool_list.hpp"
#include "roll_call.hpp"
#include "task_thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace furca::detail {

/// A team with its threads: starts them, lets others in, and stops.
///
/// Invariants:
/// - the pool ends when all tasks that it has accepted have ended, and no thread is in it.
class Pool : public Team {
 public:
  /// what a thread that cannot be created means: std::system_error, or fewer threads
  enum class OnFailure { fail, smaller };

  /// Starts config.threads - 1 threads. Throws std::invalid_argument (see Config),
  /// std::system_error, std::bad_alloc; nothing is left running then.
  Pool(const Config& config, OnFailure on_failure);

  /// Runs the tasks that were accepted, stops and joins. Aborts with a message if a thread is still
  /// inside, the calling one included.
  ~Pool();

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const noexcept { return size_; }

  // --- the door ----------------------------------------------------------------------------------

  /// The calling thread's worker here: the one it has already, further down its stack, or a
  /// guest's. Throws std::bad_alloc.
  /// With `Deque::empty` one whose deque is empty: if need be a nested guest's.
  Visit::Entry enter(Visit::Deque deque = Visit::Deque::any);
  static void leave(Worker& guest) noexcept { static_cast<Guest&>(guest).leave(); }

  // --- threads -----------------------------------------------------------------------------------

  /// A thread that works for the pool in this place. Throws std::system_error, std::bad_alloc.
  Thread start_thread(Worker& worker) const;

  /// Another thread, with that worker's name. Throws std::system_error, std::bad_alloc.
  Thread new_thread(Thread::Entry entry, void* argument, const Worker& worker) const;

  /// Any thread, but one at a time: from here on so many threads compute at most, one caller
  /// included. Those of the started threads that are too many rest (WorkSearch::rest_until) once
  /// they have ended what they run. See thread_limit.hpp.
  void limit_threads(std::size_t most) noexcept;

  /// Any thread: returns when none of those that are too many looks for work.
  void await_limit() const noexcept;

  /// At exit: stops the threads and joins them, unless one is inside a job that may never end. The
  /// pool stays usable, serially.
  void retire() noexcept;

  // --- detached tasks ----------------------------------------------------------------------------

  /// In a pool of one: starts the thread that runs tasks, if it does not run yet. Throws
  /// std::system_error, std::bad_alloc.
  void need_task_thread() {
    if (threads_.empty()) task_thread_.need();
  }

  /// A task without a handle has thrown: calls the handler of the configuration; without one ends
  /// the program.
  void report(std::exception_ptr error) const noexcept;

  // --- waiting and waking ------------------------------------------------------------------------

  /// Returns when idle() is true; works meanwhile. Throws std::logic_error in a task,
  /// std::bad_alloc.
  void wait_idle();

  // For stats.cpp. Any thread.
  Stats stats() const;
  void print_end() const noexcept;
  void dump() const noexcept;

  std::size_t callers = 1;  // that are counted on; set before any thread asks

  // in a forked child: the global pool that was lost before this one (global.cpp)
  Pool* lost_before = nullptr;

 private:
  /// With so many at most, a started thread rests. (The task thread of a pool of one does not: no
  /// limit there is one.)
  static bool is_too_many(const Worker& worker, std::uint32_t most) noexcept {
    return worker.number() + 1 >= most;
  }

  void start(std::size_t threads, OnFailure on_failure);
  std::string thread_name(const Worker& worker) const;
  void live(Worker& worker) noexcept;
  void work(Worker& worker) noexcept;
  void stop_and_join() noexcept;
  void finish_tasks() noexcept;
  void finish_last_tasks() noexcept;

  const std::string name_;
  const std::size_t stack_size_;
  const std::vector<Processor> bound_to_;  // none: started threads run anywhere
  const std::function<void(std::exception_ptr)> exception_handler_;
  RollCall roll_call_;
  std::vector<Thread> threads_;
  TaskThread task_thread_{*this};  // in a pool of one

  const std::uint64_t born_ = ticks();
  std::optional<Listed> listed_;  // while others may look at what is above
};

}  // namespace furca::detail
