// The pool: started threads, the door for outside threads (guests), start and stop.
#pragma once

#include <furca/detail/worker.hpp>
#include <furca/thread_pool.hpp>

#include "thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace furca::detail {

/// Workers 0 .. size-2 are threads started by the pool; guests, the threads that call in, have the numbers from size-1 on.
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

  /// Stops and joins. Aborts with a message if a thread is still inside, the calling one included.
  ~Pool();

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const noexcept { return size_; }

  /// The calling thread's worker here: the one it has already, further down its stack, or a guest's. Throws std::bad_alloc.
  /// `owned` tells whether leave() is due.
  Worker& enter(bool& owned);
  static void leave(Worker& guest) noexcept;

  /// At exit: stops the threads and joins them, unless one is inside a job that may never end. The pool stays usable, serially.
  void retire() noexcept;

  /// A forked child has no threads but the one that forked: every other participant of this pool is gone.
  bool lost_in_fork() const noexcept;

  Sleep& sleep() noexcept { return sleep_; }

  /// Calls visit(worker) for every participant, beginning at a place that depends on `seed`, until it returns true.
  template <class Visit>
  bool any_worker(std::uint32_t seed, Visit visit) const {
    const bool guests_first = (seed & 1U) != 0;
    if (guests_first && any_guest(visit)) return true;
    const std::size_t count = workers_.size();
    std::size_t at = count > 0 ? (seed >> 1U) % count : 0;
    for (std::size_t left = count; left > 0; --left) {
      if (visit(*workers_[at])) return true;
      if (++at == count) at = 0;
    }
    return !guests_first && any_guest(visit);
  }

  static constexpr std::size_t kMostThreads = 4096;

  Pool* lost_before = nullptr;  // in a forked child: the global pool that was lost before this one (global.cpp)

 private:
  template <class Visit>
  bool any_guest(Visit& visit) const {
    for (Worker* guest = newest_guest(); guest != nullptr; guest = guest->next_guest_)
      if (visit(*guest)) return true;
    return false;
  }

  Worker* newest_guest() const noexcept { return guests_.load(std::memory_order_acquire); }  // [G4] pairs with [G3]

  void start(const Config& config, std::size_t threads, OnFailure on_failure);
  void live(Worker& worker) noexcept;
  void stop_and_join() noexcept;
  Worker& claim_guest();

  Sleep sleep_;
  const bool greedy_;
  const std::uint64_t fork_generation_;
  const std::function<void(std::size_t)> start_hook_;
  const std::function<void(std::size_t)> exit_hook_;
  std::size_t size_ = 1;                          // known before the first thread runs its hook
  std::vector<std::unique_ptr<Worker>> workers_;  // one per started thread; not changed once the first one runs
  Atomics::Atomic<Worker*> guests_{nullptr};
  Atomics::Atomic<std::size_t> guest_count_{0};
  std::vector<Thread> threads_;
};

}  // namespace furca::detail
