// Who wants to know which threads enter and leave an arena, and the look that a thread takes for
// that where it begins to run something.
#pragma once

#include "../version.h"

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/tasks/pool_door.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tbb {

class task_scheduler_observer;

namespace detail {

/// How many observers observe. A number alone: who reads it too late tells of the thread with the
/// next chunk or task.
FURCA_API inline constinit std::atomic<int> observers{0};

/// One observer, from observe(true) to observe(false); a thread that it was told of keeps this for
/// longer.
struct Observation {
  task_scheduler_observer* observer;  // null: it observes no more
  void (*tell)(task_scheduler_observer&, bool enters, bool is_worker) noexcept;
  const furca::detail::Pool* arena;
  int calls = 0;  // of it that threads are in
};

/// All that observe, in the order in which they began. A thread is told of when it is about to run
/// something in the arena, not when it wakes up there; and it has left when it leaves execute(), or
/// ends. Nobody waits for anybody but observe(false), which waits for calls that are under way.
class FURCA_API Observations {
 public:
  static Observations& all() {
    static Observations& observations = *new Observations;
    return observations;
  }

  std::shared_ptr<Observation> begin(const Observation& observation) {
    auto begun = std::make_shared<Observation>(observation);
    const std::lock_guard lock(mutex_);
    active_.push_back(begun);
    ++changes_;
    observers.fetch_add(1, std::memory_order_relaxed);
    return begun;
  }

  void end(const std::shared_ptr<Observation>& observation) {
    std::unique_lock lock(mutex_);
    active_.erase(std::find(active_.begin(), active_.end(), observation));
    observation->observer = nullptr;
    observers.fetch_sub(1, std::memory_order_relaxed);
    returned_.wait(lock, [&] { return observation->calls == 0; });
  }

  /// The calling thread is about to run something where it is now.
  void enter() {
    const furca::detail::Worker& self = furca::detail::Worker::current();
    static thread_local ThreadEnd end;
    std::unique_lock lock(mutex_);
    Thread& thread = threads_[std::this_thread::get_id()];
    if (thread.arena == &self.pool() && thread.changes == changes_) return;
    std::vector<std::shared_ptr<Observation>> tell;
    for (const auto& each : active_)
      if (each->arena == &self.pool() && !thread.was_told_to(each)) tell.push_back(each);
    thread.told.reserve(thread.told.size() + tell.size());
    thread.arena = &self.pool();
    thread.changes = changes_;
    if (is_started(self)) thread.is_worker = true;
    lock.unlock();
    for (const auto& each : tell) {
      thread.told.push_back(each);
      call(*each, true, thread.is_worker);
    }
  }

  /// It leaves this arena.
  void leave(const furca::detail::Pool& arena) {
    Thread* const known = this_thread();
    if (known == nullptr) return;
    Thread& thread = *known;
    thread.arena = nullptr;
    while (!thread.told.empty() && thread.told.back()->arena == &arena) {
      const std::shared_ptr<Observation> last = std::move(thread.told.back());
      thread.told.pop_back();
      call(*last, false, thread.is_worker);
    }
  }

 private:
  /// What a thread has told, and to whom.
  struct Thread {
    bool was_told_to(const std::shared_ptr<Observation>& observation) const {
      return std::find(told.begin(), told.end(), observation) != told.end();
    }

    std::vector<std::shared_ptr<Observation>> told;  // by arenas, the innermost last
    const furca::detail::Pool* arena = nullptr;      // where it has looked last, and when
    std::uint64_t changes = 0;
    bool is_worker = false;  // one that a pool has started
  };

  /// Says so at a thread's end. It has nothing of its own: MinGW frees what is thread_local before
  /// it calls destructors.
  /// Whoever had the same id before has left nothing: it may have entered again after this.
  struct ThreadEnd {
    ThreadEnd() { all().begin_thread(); }
    ~ThreadEnd() { all().end_thread(); }
  };

  /// Null: it has not entered. Nobody else changes what is there.
  Thread* this_thread() {
    const std::lock_guard lock(mutex_);
    const auto found = threads_.find(std::this_thread::get_id());
    return found != threads_.end() ? &found->second : nullptr;
  }

  void begin_thread() {
    const std::lock_guard lock(mutex_);
    threads_.erase(std::this_thread::get_id());
  }

  void end_thread() {
    Thread* const thread = this_thread();
    if (thread == nullptr) return;
    while (!thread->told.empty()) leave(*thread->told.back()->arena);
    const std::lock_guard lock(mutex_);
    threads_.erase(std::this_thread::get_id());
  }

  static bool is_started(const furca::detail::Worker& self) {
    if (self.visit != nullptr) return false;
    const std::size_t started = furca::detail::started_threads(self.pool());
    return started == 0 ? self.tasks_running > 0 : self.index() < started;
  }

  void call(Observation& observation, bool enters, bool is_worker) {
    std::unique_lock lock(mutex_);
    task_scheduler_observer* const observer = observation.observer;
    if (observer == nullptr) return;
    ++observation.calls;
    lock.unlock();
    observation.tell(*observer, enters, is_worker);
    lock.lock();
    if (--observation.calls == 0) returned_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::shared_ptr<Observation>> active_;
  std::map<std::thread::id, Thread> threads_;
  std::uint64_t changes_ = 0;
};

inline bool is_observed() noexcept { return observers.load(std::memory_order_relaxed) != 0; }

/// Before a thread runs a chunk or a task. Costs a look at one number as long as nobody observes.
inline void tell_observers() {
  if (is_observed()) [[unlikely]]
    Observations::all().enter();
}

}  // namespace detail

}  // namespace tbb
