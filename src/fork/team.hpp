// What the workers of a pool share: who they are, which of them sleep, and where tasks wait.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/thread_pool.hpp>

#include "../measuring/backoff.hpp"
#include "../measuring/costs.hpp"
#include "../queues/outside_tasks.hpp"
#include "../system/placement.hpp"
#include "guests.hpp"
#include "lookers.hpp"
#include "places.hpp"
#include "sleep.hpp"
#include "thief.hpp"
#include "working_waits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace furca::detail {

/// The number of system forks between the first process and this one. A pool remembers the value at
/// its birth.
std::uint64_t process_generation() noexcept;

/// The same without a call, for who has called it before: from then on forks are counted.
extern Relaxed<std::uint64_t> known_generation;

/// The calling thread's workers, from the current one outwards: the first one that is
/// `wanted(worker)`, or null.
template <class Wanted>
Worker* find_on_this_thread(Wanted wanted) noexcept {
  Worker* worker = Worker::if_any();
  const Visit* visit = worker != nullptr ? worker->visit : nullptr;
  while (worker != nullptr && !wanted(*worker)) {
    worker = visit != nullptr ? visit->before() : nullptr;
    visit = visit != nullptr ? visit->outer() : nullptr;
  }
  return worker;
}

/// Numbers 0 .. size-2 are started threads' workers; guests have the numbers from size-1 on. A
/// thread that waits in the middle of a join, and works meanwhile, does so as one guest more, which
/// is nested in the worker that it has already: with that one's index, and a number of its own
/// beyond all others.
///
/// Invariants:
/// - all started threads' workers are made before the first thread runs, and stay: thieves look at
///   all of them;
/// - a thread is in the pool at most once without being nested.
class Team {
 public:
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  Pool& pool() const noexcept { return pool_; }
  Sleep& sleep() noexcept { return sleep_; }
  /// Each started thread stays on one processor.
  bool is_bound() const noexcept { return bound_; }

  /// For how long a thread that has nothing to do looks for work, on the scale of what sleeping and
  /// being woken cost: 1 is as long as both.
  Backoff backoff(float length = 1) const noexcept;

  /// The ticks that sleeping and being woken cost: the thread, and those whom its fence interrupts.
  float nap_costs() const noexcept;

  /// On that scale, for how long this worker looks if that has paid.
  float longest_backoff(const Worker& self) const noexcept;

  // --- workers -----------------------------------------------------------------------------------

  /// Started threads and then guests, in a row; null: there are no more. Another one may come in,
  /// and then guests' positions change.
  Worker* at(std::size_t position) const noexcept {
    if (position < workers_.size()) return workers_[position].get();
    return guests_.at(position - workers_.size());
  }

  /// The number of threads, numbered from 0, that can be sent mail: those that were started and
  /// have not been stopped.
  std::size_t started_threads() const noexcept {
    return sleep_.stopping() || is_lost() ? 0 : size_ - 1;
  }
  Worker& started_thread(std::size_t number) const noexcept { return *workers_[number]; }

  /// The number of threads that compute now, one caller included, and without those that a limit
  /// keeps from it.
  std::size_t computing_threads() const noexcept {
    return std::min<std::size_t>(started_threads() + 1, most_.read());
  }

  /// Calls look(worker) for every worker until it returns true: for started threads in a row, from
  /// one on that `seed` chooses, and for guests, the newest first, before or after these. None is
  /// left out: [sleep.S9], the last look [sleep.S3], ring_all() and idle() rely on that. Another
  /// order for thieves belongs into Thief.
  /// Rejected: of a large pool's only 64 at a time, and then the next ones. After a rest 128
  /// threads gained 48 of a loop of 10 ms then, and 66 without (bench/counted).
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

  /// A guest for the calling thread; nested in `host`, if there is one. Throws std::bad_alloc.
  Guest& claim_guest(Worker* host);

  /// A forked child has no threads but the one that forked: every other worker of this pool is
  /// gone.
  bool is_lost() const noexcept { return generation_ != known_generation.read(); }

  /// In a forked child, a thread of its parent's pool would wait for threads that do not exist:
  /// aborts with a message instead of a hang.
  void check_not_lost() const noexcept {
    if (is_lost()) [[unlikely]]
      fail_as_lost();
  }

  // --- detached tasks ----------------------------------------------------------------------------

  std::size_t queue_capacity() const noexcept { return queue_capacity_; }

  /// The common queue.
  Injector<LinkedJob>& tasks() noexcept { return outside_.queue(); }

  /// One task at a time may run, though threads were started.
  bool is_limited_to_one() const noexcept { return most_.read() == 1; }

  /// Any thread: accepts a task.
  void post(LinkedJob& task) noexcept {
    outside_.post(task, [this] {
      if (sleep_.must_wake()) wake(nullptr);  // [sleep.F6]
      waits.ring_who_rests_for_tasks();       // [waits.Q6]
    });
  }

  /// A task lies with a worker whose bell does not say who sleeps.
  /// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a pool of one")
  void tell_of_task(const Worker& self) noexcept {
    Atomics::asymmetric() ? Atomics::light_fence() : Atomics::fence();  // [sleep.F2] pairs with S2
    if (sleep_.must_wake()) wake(&self);                                // [sleep.F6]
    waits.ring_who_rests_for_tasks();                                   // [waits.Q6]
  }

  /// A job was published on a worker elsewhere than in its deque: rings and wakes as a fork does.
  /// In a pool of one the bell may not know who sleeps: a fork, for which nobody would come, has
  /// made it forget.
  /// Checked by: tests/model/programs/pool_programs.hpp
  /// ("tasks: a pool of one, where a guest waits for one task after the other")
  void tell_of_work(Worker& self) noexcept;

  /// Any thread: one more task, which is not posted, and ends when count_end() says so.
  void count_begin() noexcept { outside_.count_begin(); }
  void count_end() noexcept {
    outside_.count_end([this] { waits.tell_if_idle(); });
  }

  /// Every task that was accepted before the call has ended, and so have all that these have
  /// spawned.
  bool idle() const noexcept;

  // --- waking ------------------------------------------------------------------------------------

  /// Wakes up to `most` sleepers, unless `enough` threads are looking already. Returns how many.
  /// `waker`: the calling thread's; null: it is not in the pool.
  std::uint32_t wake(const Worker* waker, std::uint32_t most = 1,
                     std::uint32_t enough = 1) noexcept {
    waker_.write(waker);
    wakers_processor_.write(current_processor());
    return sleep_.wake(most, enough);
  }

  /// The calling thread, which was counted as looking, is no more.
  void stop_looking(const Worker& self) noexcept {
    if (sleep_.stop_looking()) wake(&self);
  }

  /// The calling thread was woken, or has found work: in a large pool it wakes some more, if so
  /// many find work. A wake-up takes several times as long as the call that wakes, so with two each
  /// the wakers would have done long before the woken ones begin; seven gained no more than four.
  /// While a loop's portions are being laid there is work for all, and each goes on until nobody
  /// sleeps: no tree of wake-ups is faster than that of all who are awake (Karp, Sahay, Santos,
  /// Schauser: Optimal Broadcast and Summation in the LogP Model, SPAA 1993). A few at a time, or
  /// they would wait for the line of the counts.
  void wake_more(const Worker& waker) noexcept {
    constexpr std::uint32_t kMore = 4;
    const std::uint32_t wanted = lookers.wanted();
    while (wanted > 1 && sleep_.must_wake(wanted) && wake(&waker, kMore, wanted) > 0 &&
           portions.being_laid()) {
    }
  }

  /// The processor on which this started thread should not wake up: its waker's processor, by an
  /// estimate, if the system has woken one there before. It would wait until the waker sleeps.
  /// Linux does that though others are idle where processors share no cache, and in virtual
  /// machines, where an idle processor may look preempted.
  Processor processor_to_avoid(const Worker& self) const noexcept {
    return wakes_beside_waker_.read() && waker_.read() != &self ? wakers_processor_.read()
                                                                : kNoProcessor;
  }

  /// This started thread was woken for work.
  void was_woken(const Worker& self) noexcept {
    if (is_bound()) return;
    const Processor here = current_processor();
    if (here == kNoProcessor || here != wakers_processor_.read() || waker_.read() == &self) return;
    wakes_beside_waker_.write(true);
  }

  /// Wakes every thread, the waiting ones too: there is mail.
  void ring_all() noexcept;

  /// Every worker's bell is marked: threads sleep.
  void mark_sleepers() noexcept;

  Lookers lookers;
  Portions portions;
  WorkingWaits waits{*this};

 protected:
  // it: no Limit lives; one less: some do, and none is below the number of threads
  static constexpr std::uint32_t kNoLimit = UINT32_MAX;

  /// Without a Backoff: as the machine wants it.
  Team(Pool& pool, std::size_t queue_capacity, std::optional<Backoff> backoff, bool greedy)
      : pool_(pool),
        queue_capacity_(queue_capacity),
        backoff_(backoff),
        greedy_(greedy),
        generation_(process_generation()) {}
  ~Team() = default;

  Sleep sleep_;
  Pool& pool_;
  const std::size_t queue_capacity_;
  const std::optional<Backoff> backoff_;
  const bool greedy_;
  const std::uint64_t generation_;
  SeamRelaxed<std::uint32_t> most_{kNoLimit};  // threads that may compute; seldom written
  // known before the first thread runs its hook
  std::size_t size_ = 1;
  bool bound_ = false;        // see is_bound()
  float others_running_ = 0;  // threads, at most
  OutsideTasks outside_;
  // one per started thread; not changed once the first one runs
  std::vector<std::unique_ptr<Worker>> workers_;
  Guests guests_;

 private:
  [[noreturn]] FURCA_COLD static void fail_as_lost() noexcept;

  /// What backoff() takes, in microseconds, if the program has not said it.
  float looking_time(const Costs& costs) const noexcept;

  SeamHint<const Worker*> waker_{nullptr};
  SeamHint<Processor> wakers_processor_{kNoProcessor};
  Relaxed<bool> wakes_beside_waker_{false};
};

}  // namespace furca::detail
