// The pool: started threads, the door for outside threads (guests), start and stop.
#pragma once

#include <furca/detail/worker.hpp>
#include <furca/stats.hpp>
#include <furca/thread_pool.hpp>

#include "../system/thread.hpp"
#include "backoff.hpp"
#include "pool_list.hpp"

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

/// Workers 0 .. size-2 are threads started by the pool; guests, the threads that call in, have the numbers from size-1 on. A thread that waits in the
/// middle of a join, and works meanwhile, does so as one guest more, nested in the worker that it has already: with that one's index, and a number of its own
/// beyond all others.
///
/// Guests are kept in a list that only grows while the pool lives and is reused by whoever comes next: thieves walk it
/// without a lock, and neither an entry nor a fork() can leave one held.
/// Checked by: tests/thread_pool_test.cpp ("many outside threads use one pool at once")
class Pool {
 public:
  enum class OnFailure { fail, smaller };  ///< what a thread that cannot be created means: std::system_error, or fewer threads

  /// Starts config.threads - 1 threads. Throws std::invalid_argument (see Config), std::system_error, std::bad_alloc; nothing
  /// is left running then.
  Pool(const Config& config, OnFailure on_failure);

  /// Runs the tasks that were accepted, stops and joins. Aborts with a message if a thread is still inside, the calling one included.
  ~Pool();

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const noexcept { return size_; }

  /// The calling thread's worker here: the one it has already, further down its stack, or a guest's. Throws std::bad_alloc.
  /// With `deque_empty` one whose deque is empty: if need be a nested guest's.
  Visit::Entry enter(bool deque_empty = false);
  static void leave(Worker& guest) noexcept;

  /// At exit: stops the threads and joins them, unless one is inside a job that may never end. The pool stays usable, serially.
  void retire() noexcept;

  /// A forked child has no threads but the one that forked: every other participant of this pool is gone.
  bool lost_in_fork() const noexcept;

  Sleep& sleep() noexcept { return sleep_; }

  // --- detached tasks: those of outside threads, and what all workers share ---------------------------------------------

  Injector<LinkedJob>& tasks() noexcept { return tasks_; }
  std::size_t queue_capacity() const noexcept { return queue_capacity_; }
  Patience patience() const noexcept { return patience_; }

  /// In a pool of one: starts the thread that runs tasks, if it does not run yet. Throws std::system_error, std::bad_alloc.
  void need_task_thread();

  /// Any thread: accepts a task.
  void post(LinkedJob& task) noexcept;

  /// One more task, that is posted by nobody and ends when count_end() says so. Any thread.
  void count_begin() noexcept { outside_.spawned_by_anybody(); }
  void count_end() noexcept;

  /// A task that nobody joins has thrown: calls the handler of the configuration; without one ends the program.
  void report(std::exception_ptr error) const noexcept;

  /// The calling thread works for this pool until it is `over`. Who makes it over calls tell() afterwards. Throws std::bad_alloc.
  void work_until(const Until& over);

  /// What somebody waits for in work_until() has come about.
  void tell() noexcept;

  /// Somebody has ended a task, and looks for work now.
  void tell_if_idle() noexcept;

  /// Every task that was accepted before the call has ended, and so have all that these have spawned.
  bool idle() const noexcept;

  /// Returns when idle() is true; works meanwhile. Throws std::logic_error in a task, std::bad_alloc.
  void wait_idle();

  /// Wakes every thread, the waiting ones too: there is mail.
  void ring_all() noexcept;

  // For stats.cpp. Any thread.
  Stats stats() const;
  void print_stats(const char* what) const noexcept;
  void dump() const noexcept;

  /// How many threads, numbered from 0, can be sent mail: those that were started and have not been stopped.
  std::size_t started_threads() const noexcept { return sleep_.stopping() || lost_in_fork() ? 0 : size_ - 1; }
  Worker& started_thread(std::size_t number) const noexcept { return *workers_[number]; }

  /// Started threads and then guests, numbered from 0; null: there are no more. Another one may come in, and then guests' numbers change.
  Worker* participant(std::size_t number) const noexcept {
    if (number < workers_.size()) return workers_[number].get();
    number -= workers_.size();
    Worker* guest = newest_guest();
    for (; guest != nullptr && number > 0; --number) guest = guest->next_guest_;
    return guest;
  }

  /// Calls look(worker) for every participant, beginning at a place that depends on `seed`, until it returns true.
  template <class Look>
  bool any_worker(std::uint32_t seed, Look look) const {
    const bool guests_first = (seed & 1U) != 0;
    if (guests_first && any_guest(look)) return true;
    const std::size_t count = workers_.size();
    std::size_t at = count > 0 ? (seed >> 1U) % count : 0;
    for (std::size_t left = count; left > 0; --left) {
      if (look(*workers_[at])) return true;
      if (++at == count) at = 0;
    }
    return !guests_first && any_guest(look);
  }

  static constexpr std::size_t kNestedGuests = std::size_t{1} << 31U;  // their numbers begin here

  Pool* lost_before = nullptr;  // in a forked child: the global pool that was lost before this one (global.cpp)

 private:
  template <class Look>
  bool any_guest(Look&& look) const {
    for (Worker* guest = newest_guest(); guest != nullptr; guest = guest->next_guest_)
      if (look(*guest)) return true;
    return false;
  }

  Worker* newest_guest() const noexcept { return guests_.load(std::memory_order_acquire); }  // [G4] pairs with [G3]

  Worker* task_worker() const noexcept { return task_worker_.load(std::memory_order_relaxed); }

  void start(const Config& config, std::size_t threads, OnFailure on_failure);
  std::string thread_name(const Worker& worker) const;
  void live(Worker& worker) noexcept;
  void stop_and_join() noexcept;
  void finish_tasks() noexcept;
  void finish_last_tasks() noexcept;
  Worker& claim_guest(Worker* host);
  void work_as(Worker& self, const Until& over) noexcept;
  bool work_on_another_stack(Worker& host, const Until& over) noexcept;
  bool stand_in_for(Worker& host, const Until& over) noexcept;

  // A start_hook may call furca, and wait for other threads of the pool. So it runs when it is known that all are there, and the pool stops when all have run it.
  enum RollCall : std::uint32_t { kCalling, kComplete, kFailed };
  void end_roll_call(RollCall outcome) noexcept;
  bool all_are_there() noexcept;
  void run_start_hook(const Worker& worker);
  void let_start_hooks_end() noexcept;

  /// An outside thread in the middle of post() or count_end(): the pool must not be gone before it has left. What it has done there may be all that
  /// the pool's owner was waiting for.
  class Passage {
   public:
    explicit Passage(Pool& pool) noexcept : pool_(pool) { pool_.passing_.fetch_add(1, std::memory_order_relaxed); }
    ~Passage() { pool_.passing_.fetch_sub(1, std::memory_order_release); }  // [Z1] pairs with [Z2]
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

   private:
    Pool& pool_;
  };

  Sleep sleep_;
  const bool greedy_;
  const Patience patience_;
  const std::size_t queue_capacity_;
  const std::uint64_t fork_generation_;
  const std::function<void(std::size_t)> start_hook_;
  const std::function<void(std::size_t)> exit_hook_;
  const std::string name_;
  const std::size_t stack_size_;
  const std::function<void(std::exception_ptr)> exception_handler_;
  std::size_t size_ = 1;                          // known before the first thread runs its hook
  std::vector<std::unique_ptr<Worker>> workers_;  // one per started thread; not changed once the first one runs
  Atomics::Atomic<Worker*> guests_{nullptr};
  Atomics::Atomic<std::size_t> guest_count_{0};
  Atomics::Atomic<std::size_t> nested_guest_count_{0};
  Atomics::Atomic<std::uint32_t> roll_call_{kCalling};
  Atomics::Atomic<std::uint32_t> start_hooks_run_{0};
  std::vector<Thread> threads_;

  Injector<LinkedJob> tasks_;
  alignas(kCacheLine) Tally outside_;  // by threads that are not inside
  Atomics::Atomic<std::uint32_t> passing_{0};
  alignas(kCacheLine) Atomics::Atomic<std::uint32_t> patient_{0};  // threads in work_until()

  // A pool of one has no thread for tasks until the first one is spawned.
  enum class TaskThread : std::uint32_t { none, starting, started };
  Atomics::Atomic<TaskThread> task_thread_state_{TaskThread::none};
  std::optional<Thread> task_thread_;
  Atomics::Atomic<Worker*> task_worker_{nullptr};  // set once

  const std::uint64_t born_ = ticks();
  std::optional<Listed> listed_;  // while others may look at what is above
};

}  // namespace furca::detail
