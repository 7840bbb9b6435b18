// Tasks that any thread may spawn and any thread may wait for, at any time: what a scope is to a
// call, this is to an object.
#pragma once

#include <furca/detail/fork/job.hpp>
#include <furca/detail/fork/task_memory.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/tasks/event.hpp>

namespace furca::detail {

class OpenTasks;

/// A worker's newest open task: where it lies in the deque, or lay if it was taken as the oldest,
/// perhaps by a thief; -1: none. There is never anything else: a place is used again only when its
/// owner has taken back what lay there.
struct OpenTasksHere {
  Worker::Index newest = -1;
};

/// A task of an OpenTasks. It runs once, or is dropped.
class FURCA_API OpenTask : public LinkedJob {
 public:
  OpenTasks& tasks() const noexcept { return tasks_; }

  /// Instead of spawning it. After this, *this is gone; and so may be what it belongs to.
  void drop() noexcept;

 protected:
  OpenTask(Body body, OpenTasks& tasks) noexcept : LinkedJob(body), tasks_(tasks) {}
  virtual ~OpenTask() = default;

  /// For its body, first of all.
  void begins_on(Worker& runner, bool on_empty_deque) noexcept {
    if (!on_empty_deque && runner.open_tasks.newest == at_) runner.open_tasks.newest = below_;
  }

 private:
  friend OpenTasks;

  OpenTasks& tasks_;
  // where it lies in its spawner's deque, and where the one before it does; -1: nowhere
  Worker::Index at_ = -1;
  Worker::Index below_ = -1;
};

/// The count of tasks that have not ended, and the threads that wait for that. It lives until all
/// who wait have returned, and no thread spawns or waits any more.
///
/// A task that is spawned in a pool lies in its spawner's deque, and costs what a scope's costs; in
/// a pool of one, where no thread would steal it, it lies here. A thread that waits runs those that
/// lie here, and those on top of its own deque, whatever they belong to. Then it works for its
/// pool, as a thread does that waits for a coroutine, or, isolated, answers mail and sleeps.
///
/// word_ is the count, whether somebody waits, and a lock of the lists. The end of the last task
/// takes the lock in the step in which it counts, if somebody waits: a waiter that saw the count
/// alone might return, and destroy what this thread is about to lock.
///
/// the last task's end, if somebody waits         a waiter
///   [open_tasks.O5] count - 1, locked     acquire  [open_tasks.O2] locked             acquire
///   takes the list of waiters                      count not 0: on the list, awaited
///   [open_tasks.O3] unlocked              release  [open_tasks.O3] unlocked           release
///   sets their events (event.hpp)                  [open_tasks.O4] word 0?            acquire
/// All other ends: [open_tasks.O1] count - 1, release. Every store is a read-modify-write, so who
/// sees zero sees what all tasks did: the last unlock, or the last end where nobody waits, is in
/// the release sequences of all ends. A thread that counts down and does not lock looks at nothing
/// any more. The lock alone guards the lists.
/// Checked by: tests/model/programs/pool_programs.hpp ("open tasks: two threads wait"),
/// tests/model/programs/waiting_programs.hpp ("open tasks: the last one ends while a thread comes
/// to wait")
class FURCA_API OpenTasks {
 public:
  OpenTasks() = default;
  OpenTasks(const OpenTasks&) = delete;
  OpenTasks& operator=(const OpenTasks&) = delete;

  /// Any thread: spawns a task that calls `f`: it runs as soon as a thread is free, at the latest
  /// when this one waits for these tasks, or at the end of the job that this one is in (in a pool
  /// of one only when somebody waits). An exception that leaves f ends the program. Throws
  /// std::bad_alloc, and what making the callable throws; there is no such task then.
  template <class F>
  void spawn(F&& f) {
    Worker& self = Worker::current();
    if (self.alone()) {
      list(make(nullptr, std::forward<F>(f)));
    } else {
      publish(self, make(&self.task_memory, std::forward<F>(f)));
    }
  }

  /// A task that is counted from here on, and must be given to spawn() or dropped: by any thread,
  /// in any pool. Throws as spawn().
  template <class F>
  OpenTask& defer(F&& f) {
    return make(nullptr, std::forward<F>(f));
  }

  /// Any thread: what defer() has made. Throws std::bad_alloc at an outside thread's first call,
  /// and has done nothing then.
  void spawn_deferred(OpenTask& task);

  /// The calling thread runs one of the tasks, from here to the end of the block.
  class Counted {
   public:
    explicit Counted(OpenTasks& tasks) noexcept : tasks_(tasks) {
      tasks.word_.fetch_add(kTask, std::memory_order_relaxed);
    }
    ~Counted() { tasks_.ended(); }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    OpenTasks& tasks_;
  };

  /// Any thread: all have ended.
  // [open_tasks.O4] pairs with O1 O3
  bool done() const noexcept { return word_.load(std::memory_order_acquire) == 0; }

  /// The tasks that a thread may run while it waits: of what lies in this worker's deque, which is
  /// its own, only what lies at `floor` or above; null: anything.
  struct Isolation {
    Worker* worker;
    Worker::Index floor;
  };

  /// Any thread: returns when done() is true. Throws std::bad_alloc at an outside thread's first
  /// call.
  void wait(Isolation isolation = {nullptr, 0});

  // --- on this thread, whose worker is `self` ----------------------------------------------------

  /// Takes the newest of what lies in the deque, if that is an open task and lies at `floor` or
  /// above; else, or if it was stolen, null.
  static OpenTask* pop(Worker& self, Worker::Index floor) noexcept;

  /// Runs one that was taken, is to be run here, or lies elsewhere than in a deque, on top of what
  /// runs now; and then what it has spawned. But once `awaited` is done open tasks stay in the
  /// deque: what they belong to may wait for what the caller of the wait does next.
  static void run(Worker& self, OpenTask& task, const OpenTasks* awaited = nullptr) noexcept;

 private:
  friend OpenTask;
  struct Waiter;
  template <class F>
  class Callable;

  template <class F>
  OpenTask& make(TaskMemory* home, F&& f);

  /// Publishes a task, or runs it if there is no memory for that.
  static void publish(Worker& self, OpenTask& task) noexcept;

  /// An open task may lie in the deque, at `floor` or above, that pop() cannot take, since a fork
  /// lies on top of it.
  static bool hides_task(const Worker& self, Worker::Index floor) noexcept;

  /// If so, and nothing lies there that is older than `floor`: runs the oldest of what lies there,
  /// as another thread would, on top of what runs now. False: it is not so. Throws std::bad_alloc.
  static bool run_hidden(Worker& self, Worker::Index floor);

  void ended() noexcept;
  void list(OpenTask& task) noexcept;
  OpenTask* pop_listed() noexcept;
  bool enlist(Waiter& waiter) noexcept;
  void lock() noexcept;
  void unlock() noexcept;
  void unlock_and_tell() noexcept;

  static bool tell(void* tasks, Worker& by) noexcept;
  static constexpr std::uint64_t kAwaited = 1;
  static constexpr std::uint64_t kLocked = 2;
  static constexpr std::uint64_t kTask = 4;

  Atomics::Atomic<std::uint64_t> word_{0};
  // Under the lock:
  Waiter* waiters_ = nullptr;
  OpenTask* listed_ = nullptr;  // tasks of pools of one, the newest first
};

/// In a block of its spawner's worker, as long as it is run in that one's pool; else in memory of
/// its own.
template <class F>
class OpenTasks::Callable final : public OpenTask {
 public:
  template <class G>
  Callable(OpenTasks& tasks, TaskMemory* home, G&& f)
      : OpenTask(&run_task, tasks), home_(home), callable_(std::forward<G>(f)) {}

 private:
  static JobEnd run_task(Job& job, Worker& runner, bool on_empty_deque) noexcept {
    auto& self = static_cast<Callable&>(job);
    OpenTasks& tasks = self.tasks();
    self.begins_on(runner, on_empty_deque);
    static_cast<void>(std::move(self.callable_)());
    if (self.home_ != nullptr) {
      self.home_->free(self, runner.task_memory);
    } else {
      delete &self;
    }
    return {&tell, &tasks};
  }

  TaskMemory* home_;
  FURCA_NO_UNIQUE_ADDRESS F callable_;
};

template <class F>
OpenTask& OpenTasks::make(TaskMemory* home, F&& f) {
  using Task = Callable<std::decay_t<F>>;
  OpenTask& task = home != nullptr
                       ? home->make<Task, std::is_nothrow_constructible_v<std::decay_t<F>, F>>(
                             *this, home, std::forward<F>(f))
                       : *new Task(*this, nullptr, std::forward<F>(f));
  word_.fetch_add(kTask, std::memory_order_relaxed);
  return task;
}

}  // namespace furca::detail
