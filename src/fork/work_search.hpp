// A thread that works for its pool: where it looks for work, and in which order.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/job.hpp>

#include "../system/placement.hpp"

#include <cstddef>
#include <cstdint>

namespace furca::detail {

class Worker;

/// When a thread stops to work for its pool: asked between two jobs, and before it sleeps. Refers
/// to a callable.
class Until {
 public:
  template <class F>
  explicit Until(const F& over) noexcept
      : over_([](const void* f) noexcept { return (*static_cast<const F*>(f))(); }), f_(&over) {}

  /// A condition that cannot come to be as long as there are tasks: it is not asked while a thread
  /// finds one after the other, and no mail.
  Until without_tasks() const noexcept {
    Until other = *this;
    other.stops_tasks_ = false;
    return other;
  }
  bool operator()() const noexcept { return over_(f_); }

  /// Between two tasks.
  bool stops_tasks() const noexcept { return stops_tasks_ && over_(f_); }

 private:
  bool (*over_)(const void*) noexcept;
  const void* f_;
  bool stops_tasks_ = true;
};

/// A worker's search for work of any kind: forks, detached tasks, mail.
///
/// The order in every round: README.md beside this.
///
/// Invariants:
/// - its thread is counted as looking (sleep.hpp) before it sleeps, and soon after another one
///   sleeps; as active while it runs jobs, one after the other. While nobody sleeps, nobody relies
///   on those who look: one that has just run a job then is not counted for a while, and never at
///   its first look, since many threads that steal small jobs wait for that word's line;
/// - it sleeps only after a last look at all that may have work has found nothing;
/// - while it looks, its own deque is empty: what a job has left there is taken back before the job
///   ends.
class WorkSearch {
 public:
  /// A thread that keeps finding tasks of its own looks at another thread's every so many turns, at
  /// one thread's after the other.
  static constexpr std::uint32_t kNeighbourEvery = 251;

  /// How often a thread looks in its own place before it looks at others' portions and deques, once
  /// portions are being laid. Without these looks 64 threads, awake, gain 9 % less of loops of 10
  /// ms, 15 of 256 steps of 40 us; if they last while it spins, 16 less of 100 us after a rest.
  static constexpr int kLooksForPortion = 64;

  explicit WorkSearch(Worker& self) noexcept : self_(self) {}
  WorkSearch(const WorkSearch&) = delete;
  WorkSearch& operator=(const WorkSearch&) = delete;

  /// Its thread is one that the pool has started, not a user's: furca may say where it wakes up.
  void begin_on_started_thread() noexcept { on_started_thread_ = true; }
  bool is_on_started_thread() const noexcept { return on_started_thread_; }

  /// Looks for work and runs it, until it is `over`. Active before it and afterwards.
  void work_until(const Until& over) noexcept;

  /// Runs only its mail, and `tasks` if it may, until it is `over`. The thread that makes it over
  /// rings its bell afterwards: see WorkingWaits::rest_until. Active.
  void rest_until(const Until& over, bool tasks) noexcept;

  /// Anybody: its thread, one that the pool has started, may take up work.
  bool available() const noexcept { return available_.read(); }
  void set_available(bool available) noexcept { available_.write(available); }

 private:
  Job* find_job(const Until& over) noexcept;
  void be_counted() noexcept;
  void learn_from_nap(float took, float costs) noexcept;
  Job* next_task(bool steals) noexcept;
  Job* receive_or_steal(bool spins) noexcept;
  Job* looks_due(bool steals) noexcept;
  Job* from_common(std::size_t batch) noexcept;
  bool sees_work() const noexcept;
  bool sees_task() const noexcept;
  Job* task_of_anybody() noexcept;

  Worker& self_;
  // of its queue's: the next one at which it looks elsewhere than at its own tasks
  std::uint32_t turn_of_others_ = 1;
  Affinity affinity_;
  bool on_started_thread_ = false;
  SeamRelaxed<bool> available_{false};
  int looks_for_portion_ = 0;  // since portions were seen being laid
  bool counted_ = true;        // as looking, as far as the innermost work_until() is concerned
  // that has lately paid, see Team::backoff(): who is seldom needed soon again sleeps soon
  float backoff_length_ = 1;
};

}  // namespace furca::detail
