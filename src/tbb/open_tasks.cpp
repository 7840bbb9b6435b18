#include <furca/detail/tbb/open_tasks.hpp>

#include "../fork/run.hpp"
#include "../pool/pool.hpp"

#include <algorithm>
#include <cassert>

namespace furca::detail {

/// In the frame of a thread that waits.
struct OpenTasks::Waiter {
  Event event;
  Waiter* next = nullptr;
};

bool OpenTasks::tell(void* tasks, Worker&) noexcept {
  static_cast<OpenTasks*>(tasks)->ended();
  return false;
}

void OpenTask::drop() noexcept {
  OpenTasks& tasks = tasks_;
  delete this;
  tasks.ended();
}

void OpenTasks::publish(Worker& self, OpenTask& task) noexcept {
  task.at_ = self.deque().end();
  task.below_ = std::exchange(self.open_tasks.newest, task.at_);
  self.spawn(task);
}

/// If it was stolen, so was all that is older.
OpenTask* OpenTasks::pop(Worker& self, Worker::Index floor) noexcept {
  if (self.open_tasks.newest < floor || self.deque().end() != self.open_tasks.newest + 1)
    return nullptr;
  QueuedJob job;
  if (!self.deque().pop(job)) return nullptr;
  auto* const task = static_cast<OpenTask*>(&job.job());
  self.open_tasks.newest = task->below_;
  task->at_ = task->below_ = -1;
  return task;
}

namespace {

/// The index of the oldest item.
Worker::Index beginning(const Worker::Deque& deque) noexcept {
  return deque.end() - static_cast<Worker::Index>(deque.size());
}

}  // namespace

bool OpenTasks::hides_task(const Worker& self, Worker::Index floor) noexcept {
  return self.open_tasks.newest >= floor && beginning(self.deque()) <= self.open_tasks.newest;
}

bool OpenTasks::run_hidden(Worker& self, Worker::Index floor) {
  if (!hides_task(self, floor) || beginning(self.deque()) < floor) return false;
  const Visit visit(self.pool(), Visit::Deque::empty);
  QueuedJob oldest;
  if (self.deque().steal_if([] { return true; }, oldest) > 0)
    detail::run_found(*Worker::if_any(), oldest.job());
  return true;
}

void OpenTasks::run(Worker& self, OpenTask& task, const OpenTasks* awaited) noexcept {
  const Worker::Index before = self.deque().end();
  self.open_frame();
  self.run_on_top(task);
  while (self.deque().end() > before) {
    if (awaited != nullptr && self.deque().end() == self.open_tasks.newest + 1 && awaited->done())
      break;
    // nor the newest one while others lie above it: who waits may be told by then to run no more
    if (!self.run_one_spawned(std::max(before, self.open_tasks.newest + 1))) break;
  }
  self.leave_frame();
}

void OpenTasks::spawn_deferred(OpenTask& task) {
  Worker& self = Worker::current();
  if (self.alone()) {
    list(task);
  } else {
    publish(self, task);
  }
}

/// After this, *this may be gone.
/// Checked by: tests/model/programs/pool_programs.hpp ("open tasks: two threads wait")
void OpenTasks::ended() noexcept {
  std::uint64_t word = word_.load(std::memory_order_relaxed);
  for (;;) {
    if (word / kTask != 1 || (word & kAwaited) == 0) {
      // [open_tasks.O1] pairs with O2 O4 O5
      if (word_.compare_exchange_weak(word, word - kTask, std::memory_order_release,
                                      std::memory_order_relaxed))
        return;
    } else if ((word & kLocked) != 0) {
      Atomics::yield();
      word = word_.load(std::memory_order_relaxed);
      // [open_tasks.O5] pairs with O1 O3
    } else if (word_.compare_exchange_weak(word, kAwaited | kLocked, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      return unlock_and_tell();
    }
  }
}

void OpenTasks::lock() noexcept {
  // [open_tasks.O2] pairs with O1 O3
  while ((word_.fetch_or(kLocked, std::memory_order_acquire) & kLocked) != 0) Atomics::yield();
}

// [open_tasks.O3] pairs with O2 O4
void OpenTasks::unlock() noexcept { word_.fetch_and(~kLocked, std::memory_order_release); }

/// All who wait look again. Once it is unlocked *this may be gone; each waiter is there until its
/// event is set.
void OpenTasks::unlock_and_tell() noexcept {
  Waiter* waiter = std::exchange(waiters_, nullptr);
  // [open_tasks.O3] pairs with O2 O4
  word_.fetch_and(~(kLocked | kAwaited), std::memory_order_release);
  while (waiter != nullptr) std::exchange(waiter, waiter->next)->event.set();
}

/// A thread that waits already looks again: perhaps no other thread will.
void OpenTasks::list(OpenTask& task) noexcept {
  lock();
  task.next = std::exchange(listed_, &task);
  unlock_and_tell();
}

OpenTask* OpenTasks::pop_listed() noexcept {
  lock();
  OpenTask* const task = listed_;
  if (task != nullptr) listed_ = static_cast<OpenTask*>(task->next);
  unlock();
  return task;
}

/// False: all have ended meanwhile, or there is a task to be run here; then nobody else is on the
/// list, since whoever ended the last or laid a task here has emptied it.
/// Else the last end comes after this, sees that somebody waits, and waits for the lock.
bool OpenTasks::enlist(Waiter& waiter) noexcept {
  lock();
  const bool wanted =
      listed_ == nullptr && word_.fetch_or(kAwaited, std::memory_order_relaxed) >= kTask;
  if (wanted) {
    waiter.next = std::exchange(waiters_, &waiter);
  } else {
    assert(waiters_ == nullptr);
    word_.fetch_and(~kAwaited, std::memory_order_relaxed);
  }
  unlock();
  return wanted;
}

void OpenTasks::wait(Isolation isolation) {
  while (!done()) {
    Worker& self = Worker::current();
    const Worker::Index floor = isolation.worker == &self ? isolation.floor : 0;
    OpenTask* task = pop(self, floor);
    if (task == nullptr) task = pop_listed();
    if (task != nullptr) {
      run(self, *task, this);
      continue;
    }
    if (isolation.worker != nullptr && run_hidden(self, floor)) continue;
    // this thread's, below the job that waits here
    if (isolation.worker != nullptr && isolation.worker != &self &&
        run_hidden(*isolation.worker, isolation.floor))
      continue;
    Waiter waiter;
    if (!enlist(waiter)) {
      Atomics::yield();  // the thread that tells of the last end has the lock
      continue;
    }
    // Jobs that lie in the deque from before the isolation may have to go before a hidden task can:
    // a guest of this thread's does that too, if all others are in the same place.
    if (isolation.worker == nullptr || hides_task(self, floor)) {
      waiter.event.await(&self.pool());
    } else {
      waiter.event.await_with_mail(self);
    }
  }
}

}  // namespace furca::detail
