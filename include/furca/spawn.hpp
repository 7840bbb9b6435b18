// spawn: detached tasks. Task<T>: a handle to wait for one, or to cancel it.
#pragma once

#include <furca/detail/mistakes/members.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/tasks/spawning.hpp>
#include <furca/spawnable.hpp>
#include <furca/thread_pool.hpp>

#include <concepts>
#include <stdexcept>

FURCA_DECLARES(spawn);

namespace furca::found_by_name {
FURCA_SAYS(spawn,
           "write spawn([f, x] { f(x); }): a task is called without arguments, and "
           "moved or copied; of a coroutine spawn what it returns, spawn(f())")
FURCA_SAYS(spawn_task,
           "write spawn_task([f, x] { return f(x); }): a task is called "
           "without arguments, moved or copied, and what it returns can be moved; of a coroutine "
           "spawn what it returns, spawn_task(f())")
FURCA_SAYS(wait_idle, "write wait_idle()")
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::spawn;
using found_by_name::spawn_task;

template <class T>
class Async;

namespace detail {

template <class T>
class TaskAwaiter;

template <class T>
inline constexpr bool kIsAsync = false;
template <class T>
inline constexpr bool kIsAsync<Async<T>> = true;

/// Something to spawn: a callable, or a coroutine that has not begun. Not a function that makes a
/// coroutine, which would never begin.
template <class F>
concept SpawnsTask = std::constructible_from<std::decay_t<F>, F> &&
                     (kIsAsync<std::decay_t<F>> ||
                      (Spawnable<F> && !kIsAsync<std::invoke_result_t<std::decay_t<F>>>));

/// The same where the result is wanted: it is moved to the handle's owner.
template <class F>
concept SpawnsResult =
    SpawnsTask<F> &&
    (kIsAsync<std::decay_t<F>> || std::is_void_v<std::invoke_result_t<std::decay_t<F>>> ||
     std::is_reference_v<std::invoke_result_t<std::decay_t<F>>> ||
     std::move_constructible<std::invoke_result_t<std::decay_t<F>>>);

template <SpawnsTask F>
inline constexpr bool kSpawns<F> = true;
template <SpawnsResult F>
inline constexpr bool kSpawnsResult<F> = true;

/// What furca::spawn returns: nothing to wait with. Returned by reference, so that
/// `auto task = spawn(f)` is a copy, and a copy has something to say.
class Detached {
 public:
  constexpr Detached() = default;

/// @cond
#define FURCA_NO_HANDLE                                                                \
  "furca: spawn(f) starts a task that nobody waits for, and returns no handle: write " \
  "spawn_task(f)"
  FURCA_REFUSES(FURCA_NO_HANDLE, std::same_as<Detached> Same, Detached(Same&));
  FURCA_REFUSES(FURCA_NO_HANDLE, class T, operator Task<T>() const);
  FURCA_REFUSES(FURCA_NO_HANDLE, class T = Anything, T join() const);
#undef FURCA_NO_HANDLE
  /// @endcond
};

inline constinit Detached detached;

}  // namespace detail

/// A handle of a spawned task: wait for its result, or cancel it. Movable, not copyable; one thread
/// at a time may use it. Empty after default construction, and after being moved from, joined or
/// cancelled. It may outlive the pool.
///
/// Dropping a handle does not stop the task; its result or exception is lost.
template <class T>
class [[nodiscard(
    "dropping the handle loses the task's exception: use furca::spawn for a task without a "
    "handle")]] Task {
  static_assert(std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
                "furca: what a task with a handle returns can be moved");

 public:
  /// An empty handle.
  Task() = default;
  /// `other` is empty afterwards.
  Task(Task&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  /// Move assignment. The task that was here before is dropped as by the destructor.
  Task& operator=(Task&& other) noexcept {
    Task(std::move(other)).swap(*this);
    return *this;
  }
  ~Task() {
    if (state_ != nullptr) state_->drop();
  }

  /// Exchanges two handles.
  void swap(Task& other) noexcept { std::swap(state_, other.state_); }

  /// True if the handle is not empty.
  bool valid() const noexcept { return state_ != nullptr; }

  /// True if the task has ended, so that join() does not wait. Throws std::logic_error when the
  /// handle is empty.
  bool ready() const { return state().over(); }

  /// Returns the task's result or throws its exception; the handle is empty then. If the task has
  /// not begun, it runs now, on this thread. Otherwise this thread waits, and helps with what the
  /// task has forked. A task may join other tasks, but not itself, nor a task that joins it,
  /// directly or not: both would wait for ever.
  /// For a coroutine, this thread runs any work of the task's pool while it waits: see sync_wait.
  /// In a coroutine write co_await std::move(task), which blocks no thread (async.hpp).
  /// In a pool of one, or under a limit of one, a thread that runs none of its tasks sleeps until
  /// the task has run in its turn; so it does while another thread that waits runs tasks.
  /// Must not be called while the pool is being destroyed.
  /// Throws std::logic_error if the handle is empty, and std::bad_alloc at this thread's first call
  /// into the pool; the handle then still has the task.
  T join() {
    state().finish();
    const Task mine = std::move(*this);
    return mine.state_->result.get();
  }

  /// Stops a task that has not begun. True: it will never run, its callable is destroyed, and the
  /// handle is empty. False: it has begun or ended, and nothing changes.
  /// Throws std::logic_error when the handle is empty.
  bool cancel() {
    if (!state().cancel()) return false;
    state_ = nullptr;
    return true;
  }

  Task(const Task&) = delete;  // furca: write std::move(task), of a Task that is not const
  Task& operator=(const Task&) = delete;
  FURCA_REFUSES(
      "furca: a Task belongs to one thread, and is not copied: write std::move(task), which leaves "
      "an empty one behind",
      std::same_as<Task> Same, Task(Same&));
  FURCA_REFUSES(
      "furca: a Task belongs to one thread, and is not copied: write std::move(task), which leaves "
      "an empty one behind",
      std::same_as<Task> Same, Task& operator=(Same&));
  FURCA_REFUSES(
      "furca: a Task has join(), which waits for it and returns its result or throws its "
      "exception: write task.join()",
      class Self = T, Self get() const);
  FURCA_REFUSES(
      "furca: a Task has join(), which waits for it and returns its result or throws its "
      "exception: write task.join()",
      class Self = T, void wait() const);

 private:
  template <class F>
  friend struct detail::Spawning;
  friend class detail::TaskAwaiter<T>;
  explicit Task(detail::TaskState<T>& state) noexcept : state_(&state) {}

  detail::TaskState<T>& state() const {
    if (state_ == nullptr)
      throw std::logic_error(
          "furca: this Task is empty: it has been joined, cancelled or moved from, or never was "
          "one");
    return *state_;
  }

  detail::TaskState<T>* state_ = nullptr;
};

/// Starts f() as a task and returns at once. Its pool is that of the surrounding install(),
/// otherwise the global pool.
///
///   furca::spawn([path] { index(path); });   // the next free thread runs it
///   furca::wait_idle();                      // all of them have ended
///
/// f is moved or copied into the task, and destroyed when it has run: it should own what it uses,
/// because it may run at any time. There is no handle (see spawn_task). What f returns is dropped;
/// its exception goes to the pool's exception_handler, and without one ends the program. A
/// coroutine (Async<T>) can be spawned as well.
/// Order: each thread's tasks run roughly in the order in which it spawned them. Exception: the
/// newest task that a task has spawned runs next on the same thread, up to three times in a row. A
/// thread that waits for a join, loop or scope runs no spawned tasks. A thread that is busy with
/// forks looks for tasks between forks, so neither starves the other.
/// Tasks queued on a thread that is busy for long are taken by others, even by threads with tasks
/// of their own. Each of those looks at one other thread's queue every 251 turns, in rotation. It
/// takes the oldest task and half of the rest. So the oldest task of a busy thread is taken within
/// 251 * P turns of any thread that keeps running, where P is the number of the pool's threads plus
/// the largest number of outside threads that were in it at once.
/// A pool of one starts an additional thread, for tasks only, with its first task. There, and under
/// a limit of one, tasks run one at a time, in the order in which they were spawned.
/// Tasks of the global pool that have not begun when the program exits are not run: call
/// wait_idle() first. A ThreadPool runs all tasks before it is destroyed, also those that its
/// exit_hook and destructors of thread-local variables spawn at the end of its threads.
/// Throws std::bad_alloc, what moving f throws, and in a pool of one std::system_error if its task
/// thread cannot be started; the task then does not exist.
/// Cost: some 15 to 20 nanoseconds from inside the pool, its run included, where callables of up to
/// 100 bytes or so need no allocation; some more from outside, and an allocation.
/// Thread-safety: any thread, at any depth.
template <detail::SpawnsTask F>
detail::Detached& spawn(F&& f) {
  detail::Spawning<std::decay_t<F>>::spawn(detail::Worker::current().pool(), std::forward<F>(f));
  return detail::detached;
}

/// As spawn, but returns a handle, through which the result or exception of f is obtained.
///
///   furca::Task<Index> index = furca::spawn_task([path] { return read_index(path); });
///   use(index.join());
///
/// Cost: as spawn, and always one allocation. Throws and thread-safety: as spawn.
template <detail::SpawnsResult F>
auto spawn_task(F&& f) {
  return detail::Spawning<std::decay_t<F>>::spawn_task(detail::Worker::current().pool(),
                                                       std::forward<F>(f));
}

/// Returns when the pool that the caller runs on has no unfinished tasks: those spawned before, and
/// all spawned meanwhile.
/// One of the threads that wait runs any work of the pool until then; in a pool of one its own
/// does.
/// Throws std::logic_error on a thread that runs a task of this pool, which would wait for itself,
/// and std::bad_alloc at an outside thread's first call.
/// Thread-safety: any thread.
FURCA_API void wait_idle();

template <class F>
  requires detail::kSpawns<F>
detail::Detached& ThreadPool::spawn(F&& f) {
  detail::Spawning<std::decay_t<F>>::spawn(*pool_, std::forward<F>(f));
  return detail::detached;
}

template <class F>
  requires detail::kSpawnsResult<F>
auto ThreadPool::spawn_task(F&& f) {
  return detail::Spawning<std::decay_t<F>>::spawn_task(*pool_, std::forward<F>(f));
}

}  // namespace furca
