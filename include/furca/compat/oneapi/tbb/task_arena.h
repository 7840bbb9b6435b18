// tbb::task_arena: a place where work runs on so many threads and no more. this_task_arena: the one
// that the calling thread is in.
// Checked by: tests/compat/tasks_test.cpp ("arena: several threads in one"), by ThreadSanitizer
#pragma once

#include "detail/contexts.h"
#include "detail/pools.h"
#include "global_control.h"
#include "info.h"
#include "task_group.h"

#include <furca/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace tbb {

class task_scheduler_observer;

/// As oneTBB's: a pool of furca's, made when it is needed first; one of the default size is the
/// pool that calls run on anyway.
/// Of n threads with r reserved ones n - r are started. Callers of execute() are others, and each
/// takes part at once: n of them are in at a time, not counting those that wait for a task_group.
/// More wait until one leaves, unless they call from within another call of the library's. An arena
/// of the default size lets all in. With n = 1 what is enqueued runs one after the other, in order.
/// Priorities have no effect.
///
/// The end of the arena, or terminate(), waits for what was enqueued, unless its size is the
/// default one, or it comes from within: then the threads end when all that is inside has.
/// Thread-safety: any thread may use it, several at once; initialize with arguments, terminate()
/// and the destructor are for one.
class task_arena {
 public:
  enum class priority : int { low = 1, normal = 2, high = 3 };
  using constraints = tbb::constraints;
  struct attach {};

  static constexpr int automatic = -1;
  static constexpr int not_initialized = -2;

  explicit(false) task_arena(int max_concurrency = automatic, unsigned reserved_for_masters = 1,
                             priority = priority::normal)
      : threads_wanted_(max_concurrency), reserved_(reserved_for_masters) {}
  explicit(false) task_arena(const constraints& wanted, unsigned reserved_for_masters = 1,
                             priority = priority::normal)
      : task_arena(wanted.max_concurrency, reserved_for_masters) {}

  /// Of the same kind, and not active.
  task_arena(const task_arena& other) : task_arena(other.threads_wanted_, other.reserved_) {}
  task_arena& operator=(const task_arena&) = delete;

  /// The one that the calling thread is in; if it is in none, one of the default size, which is not
  /// active.
  explicit task_arena(attach) { attach_here(); }
  explicit task_arena(tbb::attach) { attach_here(); }

  ~task_arena() { terminate(); }

  /// Starts its threads, if it has none yet. Throws what furca::ThreadPool throws.
  void initialize() {
    if (is_active()) return;
    const std::lock_guard lock(starting_);
    if (is_active()) return;
    if (threads_wanted_ <= 0) {
      // [task_arena.P1] pairs with P2: who sees the pool sees it started
      pool_.store(&furca::detail::started_global_pool(), std::memory_order_release);
    } else {
      const std::size_t wanted = detail::Controls::limit(static_cast<std::size_t>(threads_wanted_));
      own_ = detail::Threads::start(wanted, reserved_, detail::Controls::all().stack_size());
      pool_.store(&own_->pool(), std::memory_order_release);  // [task_arena.P1]
    }
  }

  void initialize(int max_concurrency, unsigned reserved_for_masters = 1,
                  priority = priority::normal) {
    if (is_active()) return;
    threads_wanted_ = max_concurrency;
    reserved_ = reserved_for_masters;
    initialize();
  }

  void initialize(const constraints& wanted, unsigned reserved_for_masters = 1,
                  priority = priority::normal) {
    initialize(wanted.max_concurrency, reserved_for_masters);
  }

  void initialize(attach) {
    if (is_active()) return;
    attach_here();
    initialize();
  }
  void initialize(tbb::attach) { initialize(attach()); }

  /// Waits for what was enqueued, and ends its threads. It may be used again.
  void terminate() {
    own_.reset();  // first: what still runs there may enqueue more
    attached_ = false;
    pool_.store(nullptr, std::memory_order_relaxed);
  }

  bool is_active() const noexcept {
    return pool_.load(std::memory_order_acquire) != nullptr;  // [task_arena.P2]
  }

  /// Returns f(), called on this thread; all that it starts runs on the arena's threads. Throws
  /// what f throws, and what initialize() throws.
  template <class F>
  auto execute(F&& f) -> decltype(f()) {
    furca::detail::Pool& pool = started();
    if (furca::detail::worker_inside(pool) != nullptr && !detail::at_top_level()) return f();
    const std::shared_ptr<detail::Threads> stays = own_;  // if it is the arena that ends in f
    std::optional<detail::Threads::Place> place;
    if (stays != nullptr && !furca::detail::is_inside(pool)) place.emplace(*stays);
    const detail::InPool inside(pool, attached_);
    const detail::ContextScope no_context(nullptr);
    return f();
  }

  /// f() is run by one of the arena's threads, some time. An exception that leaves it ends the
  /// program. Throws std::bad_alloc, what copying f throws, and what initialize() throws.
  template <class F>
  void enqueue(F&& f) {
    detail::post_work(started(), std::forward<F>(f));
  }

  /// The same for a task of a task_group's, which is waited for there.
  void enqueue(task_handle&& handle) { enqueue_in(started(), handle); }

  /// How many threads work in it, with as many callers as are reserved.
  int max_concurrency() const {
    if (threads_wanted_ > 0) return threads_wanted_;
    // [task_arena.P2]
    furca::detail::Pool* const pool = pool_.load(std::memory_order_acquire);
    return static_cast<int>(pool != nullptr ? furca::detail::threads_and_callers(*pool)
                                            : detail::Controls::limit());
  }

  /// Not oneTBB's: the same in any pool.
  static void enqueue_in(furca::detail::Pool& pool, task_handle& handle) {
    handle.group_->context_.bind();
    detail::post_open(pool, *handle.task_);
    handle.task_ = nullptr;
  }

 private:
  friend class task_scheduler_observer;
  furca::detail::Pool& started() {
    initialize();
    return *pool_.load(std::memory_order_acquire);  // [task_arena.P2]
  }

  void attach_here() {
    if (furca::detail::Worker::if_any() == nullptr) return;
    furca::detail::Pool& here = furca::detail::Worker::current().pool();
    attached_ = &here == &furca::detail::started_global_pool();
    pool_.store(&here, std::memory_order_release);  // [task_arena.P1]
  }

  int threads_wanted_ = automatic;
  unsigned reserved_ = 1;
  bool attached_ = false;
  std::mutex starting_;
  std::shared_ptr<detail::Threads> own_;
  std::atomic<furca::detail::Pool*> pool_{nullptr};
};

namespace this_task_arena {

/// Returns f(). While the calling thread waits in f for a task_group, it runs only what was started
/// on this thread in f; so do not wait there for tasks that were started before, unless other
/// threads are free. (Waiting for a loop it never runs anything but that loop.)
template <class F>
auto isolate(F&& f) -> decltype(f()) {
  const detail::Isolated isolated;
  return f();
}

/// The calling thread's number in its arena: below max_concurrency(), as long as no more threads
/// than are reserved have called execute(). task_arena::not_initialized on a thread that has not
/// called anything yet.
inline int current_thread_index() {
  const furca::detail::Worker* const self = furca::detail::Worker::if_any();
  return self != nullptr ? detail::number_in_arena(*self) : task_arena::not_initialized;
}

/// How many threads a call on this thread is run by.
inline int max_concurrency() { return static_cast<int>(detail::threads_here()); }

/// As task_arena::enqueue, in the arena that the calling thread is in.
template <class F>
void enqueue(F&& f) {
  detail::post_work(furca::detail::Worker::current().pool(), std::forward<F>(f));
}

inline void enqueue(task_handle&& handle) {
  task_arena::enqueue_in(furca::detail::Worker::current().pool(), handle);
}

}  // namespace this_task_arena

}  // namespace tbb
