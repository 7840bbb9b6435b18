// spawn: tasks that nobody waits for on the spot. And Task<T>, for who wants to know what became of one.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/mistakes.hpp>
#include <furca/detail/pool_door.hpp>
#include <furca/detail/result.hpp>
#include <furca/detail/shared_task.hpp>
#include <furca/thread_pool.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace furca {

template <class T>
class Task;

template <class T>
class Async;

namespace detail {

template <class T>
class TaskAwaiter;

template <class T>
inline constexpr bool kIsAsync = false;
template <class T>
inline constexpr bool kIsAsync<Async<T>> = true;

/// Something to spawn: a callable, or a coroutine that has not begun. Not a function that makes a coroutine, which nobody would begin.
template <class F>
concept SpawnsTask = std::constructible_from<std::decay_t<F>, F> &&
                     (kIsAsync<std::decay_t<F>> || (Spawnable<F> && !kIsAsync<std::invoke_result_t<std::decay_t<F>>>));

/// The same where somebody wants the result, which is moved to him.
template <class F>
concept SpawnsResult = SpawnsTask<F> && (kIsAsync<std::decay_t<F>> || std::is_void_v<std::invoke_result_t<std::decay_t<F>>> ||
                                         std::is_reference_v<std::invoke_result_t<std::decay_t<F>>> ||
                                         std::move_constructible<std::invoke_result_t<std::decay_t<F>>>);

/// Why F cannot be spawned.
template <class F>
auto explain_spawn() {
  if constexpr (!std::constructible_from<std::decay_t<F>, F>) {
    static_assert(kFits<F>, "furca: what is spawned is moved or copied into the task, and this cannot be: write spawn(std::move(f))");
  } else if constexpr (!std::invocable<std::decay_t<F>>) {
    static_assert(kFits<F>, "furca: a task is something to call, without arguments: write spawn([f, x] { f(x); })");
  } else if constexpr (kIsAsync<std::invoke_result_t<std::decay_t<F>>>) {
    static_assert(kFits<F>, "furca: this makes a coroutine, and nobody would begin it: spawn what it returns, spawn(f())");
  } else {
    static_assert(kFits<F>, "furca: what a task with a handle returns is moved to who joins it: return something that can be moved, or a pointer to it");
  }
  return Anything();
}

/// A detached task: a callable in a block of the spawning worker's, or in memory of its own.
template <class F>
class SpawnedTask : public LinkedJob {
 public:
  /// Throws std::bad_alloc, and what copying or moving the callable throws.
  template <class Callable>
  static SpawnedTask& make(TaskMemory* blocks, Callable&& callable) {
    if (blocks == nullptr) return *new SpawnedTask(nullptr, std::forward<Callable>(callable));
    return blocks->make<SpawnedTask, std::is_nothrow_constructible_v<F, Callable>>(blocks, std::forward<Callable>(callable));
  }

 private:
  friend TaskMemory;

  template <class Callable>
  SpawnedTask(TaskMemory* home, Callable&& callable) : LinkedJob(&run_task), home_(home), callable_(std::forward<Callable>(callable)) {}

  static JobEnd run_task(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<SpawnedTask&>(job);
    const Worker::RunningTask running(runner);
    try {
      static_cast<void>(std::move(self.callable_)());
    } catch (...) {
      report(runner.pool(), std::current_exception());
    }
    if (self.home_ == nullptr) {
      delete &self;
    } else {
      self.home_->free(self, runner.tasks);
    }
    return JobEnd::of_detached();
  }

  TaskMemory* home_;
  [[no_unique_address]] F callable_;
};

/// What a Task<T> shares with whoever runs it, and what the handle can do with it.
template <class T>
class TaskState : public SharedTask {
 public:
  /// Returns when there is a result; runs the task here if nobody has begun. Throws std::bad_alloc, and has done nothing then.
  virtual void finish() = 0;
  /// Nobody has begun, and nobody will; the handle has left then.
  virtual bool cancel() noexcept = 0;

  Result<T> result;

 protected:
  using SharedTask::SharedTask;
  ~TaskState() = default;
};

/// A callable with a handle.
template <class F>
class CallableTask final : public TaskState<std::invoke_result_t<F>> {
 public:
  template <class Callable>
  CallableTask(Pool& pool, Callable&& callable)
      : TaskState<std::invoke_result_t<F>>(pool, 2), callable_(std::in_place, std::forward<Callable>(callable)) {}

  bool over() const noexcept override { return done_here_ || this->latch_.is_set(); }

  void finish() override {
    if (over()) return;
    Pool& pool = this->pool();
    const Visit visit(pool);
    Worker& self = Worker::current();
    count_begin(pool);  // who takes it from the queue counts as well, but only that it is not there any more
    const bool mine = this->claim();
    if (mine) {
      const Worker::RunningTask running(self);
      done_here_ = run_content();
    }
    count_end(pool);
    if (!mine) self.wait(this->latch_);
  }

  bool cancel() noexcept override {
    if (!this->claim()) return false;
    this->drop_content();
    return true;
  }

 private:
  bool run_content() noexcept override {
    this->result.fill(std::move(*callable_));
    callable_.reset();
    return true;
  }

  void destroy_content() noexcept override {
    std::destroy_at(&callable_);
    std::destroy_at(&this->result);
  }

  bool done_here_ = false;  // the handle's
  std::optional<F> callable_;
};

/// How something is spawned in a pool. Other things than callables: async.hpp.
template <class F>
struct Spawning {
  using Value = std::invoke_result_t<F>;

  template <class Callable>
  static void spawn(Pool& pool, Callable&& callable) {
    Worker* const self = worker_inside(pool);
    if (self == nullptr || self->alone()) [[unlikely]] need_task_thread(pool);
    auto& task = SpawnedTask<F>::make(self != nullptr ? &self->tasks : nullptr, std::forward<Callable>(callable));
    if (self != nullptr) {
      self->post(task, Worker::Turn::next);
    } else {
      post(pool, task);
    }
  }

  template <class Callable>
  static Task<Value> spawn_task(Pool& pool, Callable&& callable) {
    need_task_thread(pool);
    auto& task = SharedTask::make<CallableTask<F>>(pool, std::forward<Callable>(callable));
    if (Worker* const self = worker_inside(pool)) {
      self->post(task, Worker::Turn::next);
    } else {
      post(pool, task);
    }
    return Task<Value>(task);
  }
};

}  // namespace detail

/// A handle on a spawned task: asks for its result, or stops it from running. Moved, not copied; for one thread at a time. Empty when it was made
/// by default, moved from, joined or cancelled. It may outlive the pool.
///
/// Dropping a handle lets the task run; what it returns or throws is dropped with it.
/// @snippet spawn.cpp Task
template <class T>
class [[nodiscard("to drop the handle drops what the task throws: furca::spawn starts a task without one")]] Task {
  static_assert(std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>, "furca: what a task with a handle returns can be moved");

 public:
  /// An empty handle.
  Task() = default;
  /// `other` is empty afterwards.
  Task(Task&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  /// The same; what was here before is dropped.
  Task& operator=(Task&& other) noexcept {
    Task(std::move(other)).swap(*this);
    return *this;
  }
  ~Task() {
    if (state_ != nullptr) state_->drop();
  }

  /// Each has what the other had.
  void swap(Task& other) noexcept { std::swap(state_, other.state_); }

  /// There is a task: the handle is not empty.
  bool valid() const noexcept { return state_ != nullptr; }

  /// The task has ended; join() does not wait. Throws std::logic_error when the handle is empty.
  bool ready() const { return state().over(); }

  /// Returns what the task returned, or throws what it threw; empties the handle. A task that nobody has begun runs now, on this thread. Else this
  /// thread waits, and helps with what the task has forked. So a task may join others, but not itself, nor one that joins it: these wait for ever.
  /// For a coroutine it works for the task's pool instead, on anything: see sync_wait for what that means. In coroutines write co_await std::move(task), which
  /// blocks no thread (async.hpp).
  /// Not while the pool is being destroyed.
  /// Throws std::logic_error when the handle is empty; std::bad_alloc when this thread comes into the pool for the first time and there is no memory,
  /// and then the handle keeps the task.
  T join() {
    state().finish();
    const Task mine = std::move(*this);
    return mine.state_->result.take();
  }

  /// The task will never run: nobody has begun it. Empties the handle then, and destroys the callable. False: it runs, or has run, and goes on.
  /// Throws std::logic_error when the handle is empty.
  bool cancel() {
    if (!state().cancel()) return false;
    state_ = nullptr;
    return true;
  }

 private:
  template <class F>
  friend struct detail::Spawning;
  friend class detail::TaskAwaiter<T>;
  explicit Task(detail::TaskState<T>& state) noexcept : state_(&state) {}

  detail::TaskState<T>& state() const {
    if (state_ == nullptr) throw std::logic_error("furca: this Task is empty: it has been joined, cancelled or moved from, or never was one");
    return *state_;
  }

  detail::TaskState<T>* state_ = nullptr;
};

/// Starts f() as a task of the pool that the caller runs on (see ThreadPool), and returns at once: the global pool's, outside of install().
///
///   furca::spawn([path] { index(path); });   // whoever is free runs it
///   furca::wait_idle();                      // all of them have ended
///
/// f is moved or copied into the task, and destroyed when it has run: it should own what it uses, since nothing says when it runs. There is no
/// handle (see spawn_task); what f returns is dropped; what it throws goes to the pool's exception_handler, and without one ends the program. A
/// coroutine (Async<T>) can be spawned as well.
/// Order: roughly that of spawning, for each thread that spawns; but the task that a task spawned last runs next on its thread, up to
/// three times in a row. A thread that waits for a join, loop or scope runs no spawned tasks; and one that is busy with forks comes to tasks
/// between two of them, so neither starves the other. Tasks that wait with a thread which is busy with something long are taken over by others, also by those that
/// have tasks of their own: such a thread looks at one other thread's tasks every 251 of its turns, at each in turn and twice if it seems stuck, and takes the oldest and
/// half of the rest. So the oldest task of a busy thread is taken within 502 * P turns of any one thread that goes on, where P counts the pool's threads and the most
/// outside threads that were in the pool at a time.
/// A pool of one starts a thread for its tasks with the first of them, one that does nothing else.
/// The global pool's tasks that have not begun when the program exits are not run: wait_idle() first. A ThreadPool runs all before it is destroyed, also those that its
/// exit_hook and destructors of thread-local variables spawn at the end of its threads.
/// Throws std::bad_alloc, what moving f throws, and in a pool of one std::system_error if its thread cannot be started; there is no such task then.
/// Cost: some 30 nanoseconds from inside the pool, where callables of up to 100 bytes or so are kept without an allocation; some more from
/// outside, and an allocation.
/// Thread-safety: any thread, at any depth.
/// @snippet spawn.cpp spawn
template <detail::SpawnsTask F>
detail::Detached& spawn(F&& f) {
  detail::Spawning<std::decay_t<F>>::spawn(detail::Worker::current().pool(), std::forward<F>(f));
  return detail::detached;
}

/// As spawn, with a handle that has what f returns or throws.
///
///   furca::Task<Index> index = furca::spawn_task([path] { return read_index(path); });
///   use(index.join());
///
/// Cost: an allocation more.
/// @snippet spawn.cpp spawn_task
template <detail::SpawnsResult F>
auto spawn_task(F&& f) {
  return detail::Spawning<std::decay_t<F>>::spawn_task(detail::Worker::current().pool(), std::forward<F>(f));
}

/// Returns when there are no tasks in the pool that the caller runs on: all that were spawned before have ended, and all that these, or others
/// meanwhile, have spawned. Works for the pool until then, on anything. Not for tasks, and what they fork: a task would wait for itself.
/// Throws std::logic_error on a thread that runs a task of this pool just now; std::bad_alloc when an outside thread calls in for the first time.
/// @snippet spawn.cpp wait_idle
FURCA_API void wait_idle();

template <class F>
detail::Detached& ThreadPool::spawn(F&& f) {
  if constexpr (detail::SpawnsTask<F>) {
    detail::Spawning<std::decay_t<F>>::spawn(*pool_, std::forward<F>(f));
  } else {
    detail::explain_spawn<F>();
  }
  return detail::detached;
}

template <class F>
auto ThreadPool::spawn_task(F&& f) {
  if constexpr (detail::SpawnsResult<F>) {
    return detail::Spawning<std::decay_t<F>>::spawn_task(*pool_, std::forward<F>(f));
  } else {
    return detail::explain_spawn<F>();
  }
}

/// @cond
template <class F>
auto spawn(F&&) {
  return detail::explain_spawn<F>();
}

template <class F>
auto spawn_task(F&&) {
  return detail::explain_spawn<F>();
}

template <class First, class Second, class... More>
auto spawn(First&&, Second&&, More&&...) {
  static_assert(detail::kFits<First>, "furca: a task is called without arguments: write spawn([f, x] { f(x); })");
  return detail::Anything();
}

template <class First, class Second, class... More>
auto spawn_task(First&&, Second&&, More&&...) {
  static_assert(detail::kFits<First>, "furca: a task is called without arguments: write spawn_task([f, x] { return f(x); })");
  return detail::Anything();
}
/// @endcond

}  // namespace furca
