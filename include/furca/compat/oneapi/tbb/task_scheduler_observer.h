// tbb::task_scheduler_observer: is called on each thread that enters and leaves an arena.
// Checked by: tests/compat/tasks_test.cpp ("an observer is called on each thread before it works"),
// by ThreadSanitizer
#pragma once

#include "detail/observers.h"
#include "task_arena.h"

#include <memory>
#include <utility>

namespace tbb {

/// As oneTBB's. A thread enters when it is about to run its first chunk or task of tbb's in the
/// arena, or calls task_arena::execute; it leaves at the end of that call, or when it ends: threads
/// of an arena stay in it while there is nothing to do. What runs by furca's own names, and in
/// parallel_sort, is not told.
/// Thread-safety: the functions are called on many threads at once; observe() is for one.
/// Exceptions: what a function throws ends the program by std::terminate, on any thread.
class task_scheduler_observer {
 public:
  /// Of the arena that the thread which calls observe(true) is in.
  task_scheduler_observer() = default;
  explicit task_scheduler_observer(task_arena& arena) : arena_(&arena) {}
  task_scheduler_observer(const task_scheduler_observer&) = delete;
  task_scheduler_observer& operator=(const task_scheduler_observer&) = delete;

  /// Call observe(false) in the destructor of your own class: its functions may run until then.
  virtual ~task_scheduler_observer() { observe(false); }

  virtual void on_scheduler_entry(bool /*is_worker*/) {}
  virtual void on_scheduler_exit(bool /*is_worker*/) {}

  bool is_observing() const { return observation_ != nullptr; }

  /// With true: also starts the arena's threads, and tells of the calling one if it is in there.
  /// With false: returns when no thread is in a function, and tells of nobody any more; not from
  /// such a function. Throws std::bad_alloc, and what the arena's initialize() throws.
  void observe(bool state = true) {
    if (state == is_observing()) return;
    detail::Observations& all = detail::Observations::all();
    if (!state) return all.end(std::exchange(observation_, nullptr));
    furca::detail::Pool& here = furca::detail::Worker::current().pool();
    observation_ = all.begin({this, &tell, arena_ != nullptr ? &arena_->started() : &here});
    all.enter();
  }

 private:
  static void tell(task_scheduler_observer& observer, bool enters, bool is_worker) noexcept {
    enters ? observer.on_scheduler_entry(is_worker) : observer.on_scheduler_exit(is_worker);
  }

  task_arena* arena_ = nullptr;
  std::shared_ptr<detail::Observation> observation_;
};

}  // namespace tbb
