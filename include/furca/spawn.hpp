// spawn: tasks that nobody waits for on the spot. And Task<T>, for who wants to know what became of one.
#pragma once

#include <furca/detail/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/spawn_mistakes.hpp>
#include <furca/detail/spawning.hpp>
#include <furca/thread_pool.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace furca {

namespace detail {

template <class T>
class TaskAwaiter;

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

}  // namespace furca
