// The pool: started threads, the door for outside threads (guests), start and stop.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/stats.hpp>
#include <furca/thread_pool.hpp>

#include "../fork/places.hpp"
#include "../fork/thief.hpp"
#include "../fork/work_search.hpp"
#include "../measuring/backoff.hpp"
#include "../measuring/costs.hpp"
#include "../queues/outside_tasks.hpp"
#include "../system/placement.hpp"
#include "../system/thread.hpp"
#include "global.hpp"
#include "guests.hpp"
#include "lookers.hpp"
#include "pool_list.hpp"
#include "roll_call.hpp"
#include "task_thread.hpp"
#include "waiters.hpp"

#include <algorithm>
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

/// The calling thread's workers, from the current one outwards: the first one that is
/// `wanted(worker)`, or null.
template <class Wanted>
Worker* find_on_this_thread(Wanted wanted) noexcept {
  Worker* worker = Worker::if_any();
  const Visit* visit = worker != nullptr ? worker->visit() : nullptr;
  while (worker != nullptr && !wanted(*worker)) {
    worker = visit != nullptr ? visit->before() : nullptr;
    visit = visit != nullptr ? visit->outer() : nullptr;
  }
  return worker;
}

/// Workers 0 .. size-2 are threads started by the pool; guests, the threads that call in, have the
/// numbers from size-1 on. A thread that waits in the middle of a join, and works meanwhile, does
/// so as one guest more, nested in the worker that it has already: with that one's index, and a
/// number of its own beyond all others.
///
/// Invariants:
/// - all started threads' workers are made before the first thread runs, and stay: thieves look at
///   all of them;
/// - a thread is in the pool at most once without being nested;
/// - the pool ends when all tasks that it has accepted have ended, and no thread is in it.
class Pool {
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
  /// Each started thread stays on one processor.
  bool is_bound() const noexcept { return !bound_to_.empty(); }

  /// For how long a thread that has nothing to do looks for work, on the scale of what sleeping and
  /// being woken cost: 1 is as long as both.
  SpinLimit spin_limit(float share = 1) const noexcept;

  /// The ticks that sleeping and being woken cost: the thread, and those whom its fence interrupts.
  float nap_costs() const noexcept;
  std::size_t queue_capacity() const noexcept { return queue_capacity_; }
  Sleep& sleep() noexcept { return sleep_; }

  // --- the door ----------------------------------------------------------------------------------

  /// The calling thread's worker here: the one it has already, further down its stack, or a
  /// guest's. Throws std::bad_alloc.
  /// With `Deque::empty` one whose deque is empty: if need be a nested guest's.
  Visit::Entry enter(Visit::Deque deque = Visit::Deque::any);
  static void leave(Worker& guest) noexcept { static_cast<Guest&>(guest).leave(); }

  /// A guest for the calling thread; nested in `host`, if there is one. Throws std::bad_alloc.
  Guest& claim_guest(Worker* host);

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

  /// The number of threads that compute now, one caller included, and without those that a limit
  /// keeps from it.
  std::size_t computing_threads() const noexcept {
    return std::min<std::size_t>(started_threads() + 1, most_.load(std::memory_order_relaxed));
  }

  /// One task at a time may run, though threads were started.
  bool is_limited_to_one() const noexcept { return most_.load(std::memory_order_relaxed) == 1; }

  /// At exit: stops the threads and joins them, unless one is inside a job that may never end. The
  /// pool stays usable, serially.
  void retire() noexcept;

  /// A forked child has no threads but the one that forked: every other participant of this pool is
  /// gone.
  bool lost_in_fork() const noexcept {
    return fork_generation_ != fork_count.load(std::memory_order_relaxed);
  }

  /// In a forked child, a thread of its parent's pool would wait for threads that do not exist:
  /// aborts with a message instead of a hang.
  void check_not_lost() const noexcept {
    if (lost_in_fork()) [[unlikely]]
      fail_as_lost();
  }

  // --- detached tasks ----------------------------------------------------------------------------

  /// The state that all workers share.
  Injector<LinkedJob>& tasks() noexcept { return outside_.queue(); }

  /// In a pool of one: starts the thread that runs tasks, if it does not run yet. Throws
  /// std::system_error, std::bad_alloc.
  void need_task_thread() {
    if (threads_.empty()) task_thread_.need();
  }

  /// Any thread: accepts a task.
  void post(LinkedJob& task) noexcept {
    outside_.post(task, [this] {
      if (sleep_.must_wake()) wake(nullptr);  // [sleep.F6]
      waiters.tell_of_task();                 // [waiters.Q6]
    });
  }

  /// A task lies with a worker whose bell does not say who sleeps.
  /// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a pool of one")
  void tell_of_task(const Worker& self) noexcept {
    Atomics::asymmetric() ? Atomics::light_fence() : Atomics::fence();  // [sleep.F2] pairs with S2
    if (sleep_.must_wake()) wake(&self);                                // [sleep.F6]
    waiters.tell_of_task();                                             // [waiters.Q6]
  }

  /// Any thread: one more task, which is not posted, and ends when count_end() says so.
  void count_begin() noexcept { outside_.count_begin(); }
  void count_end() noexcept {
    outside_.count_end([this] { tell_if_idle(); });
  }

  /// A task without a handle has thrown: calls the handler of the configuration; without one ends
  /// the program.
  void report(std::exception_ptr error) const noexcept;

  // --- waiting and waking ------------------------------------------------------------------------

  /// The calling thread works for this pool until it is `over`. The thread that makes it over calls
  /// tell() afterwards. Throws std::bad_alloc.
  void work_until(const Until& over) { waiters.work_until(over); }
  void tell() noexcept { waiters.tell(); }

  /// A thread has ended tasks, and has none of its own left: perhaps they were the last.
  void tell_if_idle() noexcept { waiters.tell_if_idle(); }

  /// Every task that was accepted before the call has ended, and so have all that these have
  /// spawned.
  bool idle() const noexcept;

  /// Returns when idle() is true; works meanwhile. Throws std::logic_error in a task,
  /// std::bad_alloc.
  void wait_idle();

  /// Wakes up to `most` sleepers, unless `enough` threads are looking already. Returns how many.
  /// `waker`: the calling thread's; null: it is not in the pool.
  std::uint32_t wake(const Worker* waker, std::uint32_t most = 1,
                     std::uint32_t enough = 1) noexcept {
    waker_.store(waker, std::memory_order_relaxed);
    wakers_processor_.store(current_processor(), std::memory_order_relaxed);
    return sleep_.wake(most, enough);
  }

  /// The calling thread was woken, or has found work: in a large pool it wakes some more, if so
  /// many find work. A wake-up takes several times as long as the call that wakes, so with two each
  /// the wakers would have done long before the woken ones begin; seven gained no more than four.
  void wake_more(const Worker& waker) noexcept {
    constexpr std::uint32_t kMore = 4;
    const std::uint32_t wanted = lookers.wanted();
    if (wanted > 1 && sleep_.may_wake(wanted)) wake(&waker, kMore, wanted);
  }

  /// The processor on which this started thread should not wake up: its waker's processor, by an
  /// estimate, if the system has woken one there before. It would wait until the waker sleeps.
  /// Linux does that though others are idle where processors share no cache, and in virtual
  /// machines, where an idle processor may look preempted.
  Processor processor_to_avoid(const Worker& self) const noexcept {
    return wakes_beside_waker_.load(std::memory_order_relaxed) &&
                   waker_.load(std::memory_order_relaxed) != &self
               ? wakers_processor_.load(std::memory_order_relaxed)
               : kNoProcessor;
  }

  /// This started thread was woken for work.
  void was_woken(const Worker& self) noexcept {
    if (is_bound()) return;
    const Processor here = current_processor();
    if (here == kNoProcessor || here != wakers_processor_.load(std::memory_order_relaxed) ||
        waker_.load(std::memory_order_relaxed) == &self)
      return;
    wakes_beside_waker_.store(true, std::memory_order_relaxed);
  }

  /// Wakes every thread, the waiting ones too: there is mail.
  void ring_all() noexcept;

  /// Tells every worker's bell that threads sleep.
  void tell_bells_of_sleepers() noexcept;

  // --- participants ------------------------------------------------------------------------------

  /// The number of threads, numbered from 0, that can be sent mail: those that were started and
  /// have not been stopped.
  std::size_t started_threads() const noexcept {
    return sleep_.stopping() || lost_in_fork() ? 0 : size_ - 1;
  }
  Worker& started_thread(std::size_t number) const noexcept { return *workers_[number]; }

  /// Started threads and then guests, numbered from 0; null: there are no more. Another one may
  /// come in, and then guests' numbers change.
  Worker* participant(std::size_t number) const noexcept {
    if (number < workers_.size()) return workers_[number].get();
    return guests_.at(number - workers_.size());
  }

  /// Calls look(worker) for every participant, beginning at a place that depends on `seed`, until
  /// it returns true.
  template <class Look>
  bool any_worker(std::uint32_t seed, Look look) const {
    const bool guests_first = (seed & 1U) != 0;
    if (guests_first && guests_.any(look)) return true;
    const std::size_t count = workers_.size();
    std::size_t at = count > 0 ? (seed >> 1U) % count : 0;
    for (std::size_t left = count; left > 0; --left) {
      if (look(*workers_[at])) return true;
      if (++at == count) at = 0;
    }
    return !guests_first && guests_.any(look);
  }

  /// As any_worker; but of a large pool's started threads only a few, and at the next call, with
  /// the same `round`, the next ones, until all had their turn.
  /// Each look at somebody who publishes takes a cache line from him, so a crowd that always looks
  /// at all keeps him from his work. Who falls asleep looks at all.
  template <class Look>
  bool some_workers(Round& round, std::uint32_t seed, Look look) const {
    constexpr std::size_t kAtOnce = 64;
    const std::size_t count = workers_.size();
    if (count <= kAtOnce) return any_worker(seed, look);
    const bool begins = round.left == 0;
    if (begins) round = {seed, count};
    const bool guests_first = (round.seed & 1U) != 0;
    bool found = begins && guests_first && guests_.any(look);
    for (std::size_t looks = std::min(kAtOnce, round.left); looks > 0 && !found;
         --looks, --round.left)
      found = look(*workers_[((round.seed >> 1U) + round.left) % count]);
    if (round.left == 0 && !found) return !guests_first && guests_.any(look);
    if (found) round.left = 0;
    return found;
  }

  // For stats.cpp. Any thread.
  Stats stats() const;
  void print_end() const noexcept;
  void dump() const noexcept;

  Lookers lookers;
  Places places;
  Waiters waiters{*this};
  std::size_t callers = 1;  // that are counted on; set before any thread asks

  // in a forked child: the global pool that was lost before this one (global.cpp)
  Pool* lost_before = nullptr;

 private:
  // no Limit lives; one less: none that makes a thread rest
  static constexpr std::uint32_t kNoLimit = UINT32_MAX;

  /// With so many at most, a started thread rests. (The task thread of a pool of one does not: no
  /// limit there is one.)
  static bool is_too_many(const Worker& worker, std::uint32_t most) noexcept {
    return worker.number() + 1 >= most;
  }

  [[noreturn]] FURCA_COLD static void fail_as_lost() noexcept;

  /// The same in microseconds.
  float idle_time(const Costs& costs) const noexcept;

  void start(std::size_t threads, OnFailure on_failure);
  std::string thread_name(const Worker& worker) const;
  void live(Worker& worker) noexcept;
  void work(Worker& worker) noexcept;
  void stop_and_join() noexcept;
  void finish_tasks() noexcept;
  void finish_last_tasks() noexcept;

  Sleep sleep_;
  const bool greedy_;
  const std::optional<SpinLimit> spin_limit_;  // as the program wants it; else as the machine does
  const std::size_t queue_capacity_;
  const std::uint64_t fork_generation_;
  const std::string name_;
  const std::size_t stack_size_;
  const std::vector<Processor> bound_to_;  // none: started threads run anywhere
  const std::function<void(std::exception_ptr)> exception_handler_;
  Atomics::Atomic<std::uint32_t> most_{kNoLimit};  // threads that may compute; seldom written
  // known before the first thread runs its hook
  std::size_t size_ = 1;
  float others_running_ = 0;  // threads, at most
  OutsideTasks outside_;
  // one per started thread; not changed once the first one runs
  std::vector<std::unique_ptr<Worker>> workers_;
  Guests guests_;
  RollCall roll_call_;
  std::vector<Thread> threads_;
  Atomics::Hint<const Worker*> waker_{nullptr};
  Atomics::Hint<Processor> wakers_processor_{kNoProcessor};
  std::atomic<bool> wakes_beside_waker_{false};
  TaskThread task_thread_{*this};  // in a pool of one

  const std::uint64_t born_ = ticks();
  std::optional<Listed> listed_;  // while others may look at what is above
};

}  // namespace furca::detail
