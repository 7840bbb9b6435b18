// Coroutines: Async<T>, how they come into a pool, and how they are waited for.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/tasks/async_promise.hpp>
#include <furca/detail/tasks/coroutine_task.hpp>
#include <furca/detail/tasks/driver.hpp>
#include <furca/detail/tasks/event.hpp>
#include <furca/detail/tasks/result.hpp>
#include <furca/detail/tasks/resumption.hpp>
#include <furca/spawn.hpp>
#include <furca/thread_pool.hpp>

#include <cassert>
#include <coroutine>

FURCA_DECLARES(async);

namespace furca::found_by_name {
FURCA_SAYS(schedule, "write co_await schedule() in a coroutine that returns a furca::Async")
FURCA_SAYS(sync_wait, "write sync_wait(f()), where f() returns a furca::Async")
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::sync_wait;

/// A lazy coroutine that computes a T (or nothing: Async<>): it begins when it is awaited, spawned,
/// or given to sync_wait.
///
///   furca::Async<std::size_t> count_words(furca::ThreadPool& pool, std::string path) {
///     std::string text = co_await read(path);     // on whatever thread the reading ends
///     co_await pool.schedule();                   // from here on, on one of the pool's
///     co_return words_in(text);
///   }
///
/// co_await std::move(a) starts the coroutine at once, on the same thread. When it has ended, the
/// caller continues on the thread where it ended, with its result or its exception. Arguments are
/// stored in the frame: take by value what must outlive the call. An Async that is dropped before
/// it began never runs; one that has begun and is suspended must not be dropped.
/// Limits: without optimisation, or with AddressSanitizer, g++ compiles the transfer between
/// coroutines as a call, so a loop of a million co_awaits that do not suspend overflows the stack.
/// The result may have any alignment; over-aligned parameters and local variables may be misaligned
/// (clang 16 has -fcoro-aligned-allocation).
/// Thread-safety: one thread at a time. Cost: one allocation, the frame, unless the compiler
/// removes it.
/// Source: L. Baker, "C++ Coroutines: Understanding Symmetric Transfer", 2020.
template <class T = void>
class [[nodiscard("an Async that nobody awaits, spawns or gives to sync_wait never runs")]] Async {
 public:
  /// What the compiler looks for in a coroutine's type.
  using promise_type = detail::AsyncPromise<T>;
  /// What the coroutine computes.
  using value_type = T;

  /// `other` is empty afterwards: it must not be awaited.
  Async(Async&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  /// Move assignment. The coroutine that was here before is dropped as by the destructor.
  Async& operator=(Async&& other) noexcept {
    Async mine(std::move(other));
    std::swap(coroutine_, mine.coroutine_);
    return *this;
  }
  Async(const Async&) = delete;
  FURCA_REFUSES("furca: an Async runs once, and is not copied: write std::move(async)",
                std::same_as<Async> Same, Async(Same&));
  Async& operator=(const Async&) = delete;
  FURCA_REFUSES("furca: an Async runs once, and is not copied: write std::move(async)",
                std::same_as<Async> Same, Async& operator=(Same&));
  ~Async() {
    if (coroutine_) coroutine_.destroy();
  }

  /// Starts the coroutine; the awaiting coroutine continues when it has ended.
  auto operator co_await() && noexcept {
    struct Awaiter : Start {
      T await_resume() const { return this->coroutine.promise().result.get(); }
    };
    return Awaiter{start()};
  }
  FURCA_REFUSES("furca: write co_await std::move(async)", class Self = T,
                detail::Anything operator co_await() const&);

 private:
  friend promise_type;
  friend class detail::Driver;

  /// What an awaiter does before the coroutine has ended.
  struct Start {
    std::coroutine_handle<promise_type> coroutine;
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
      coroutine.promise().caller = caller;
      return coroutine;
    }
  };
  Start start() const noexcept {
    assert(coroutine_ && "furca: this Async has been moved from");
    return {coroutine_};
  }

  /// As co_await, but passes the result to f, so the awaiting frame has no room for it.
  template <class F>
  auto and_then(F f) && noexcept {
    struct Awaiter : Start {
      F f;
      void await_resume() noexcept { f(this->coroutine.promise().result); }
    };
    return Awaiter{start(), f};
  }

  explicit Async(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

/// Runs a coroutine, beginning on the calling thread, and returns its result or throws its
/// exception. The coroutine may end on another thread.
///
/// A thread that is in a pool (the innermost, if pools are nested) runs other work of that pool
/// while it waits, of any kind. So even the only thread of a pool may wait for a coroutine that
/// needs the pool.
/// Of several outside threads that wait one at a time does that; in a pool of one its own thread.
/// Danger: the work that it runs lies on top of the waiting frame and must end first. If that work
/// waits, directly or not, for the task below it, both wait for ever. Inside tasks and coroutines
/// prefer co_await, and hold no mutex here.
/// Stack: usually at most some ten such waits lie on one stack. From eight on, coroutines that
/// return to the pool run before new tasks. When half of a stack is used (where its size is
/// unknown: after every 64 waits) another thread continues in place of this one: it has the same
/// thread_index() and runs this thread's broadcast calls, and hooks do not run for it.
/// Throws what the coroutine throws; std::bad_alloc before it has begun.
/// Thread-safety: any thread, at any depth.
template <class T>
T sync_wait(Async<T> async) {
  detail::Result<T> result;
  detail::Event event;
  detail::Driver::into({[](void* e) noexcept { static_cast<detail::Event*>(e)->set(); }, &event},
                       std::move(async), result)
      .begin();
  detail::Worker* const self = detail::Worker::if_any();
  event.await(self != nullptr ? &self->pool() : nullptr);
  return result.get();
}

/// co_await furca::schedule() puts the coroutine at the end of this thread's queue; it continues on
/// some thread of the pool that the caller runs on. A coroutine that computes for long calls it to
/// let other tasks run. In a pool of one it throws std::system_error if the task thread cannot be
/// started.
inline detail::Schedule schedule() { return detail::Schedule(detail::Worker::current().pool()); }

/// co_await std::move(task) suspends until the task has ended, then continues on a thread of the
/// task's pool with the task's result or exception. No thread is blocked, so prefer it to join() in
/// coroutines. Throws std::logic_error when the handle is empty.
/// Thread-safety: as for the handle. Cost: no allocation.
template <class T>
detail::TaskAwaiter<T> operator co_await(Task<T>&& task) {
  return detail::TaskAwaiter<T>(std::move(task));
}
FURCA_REFUSES("furca: write co_await std::move(task)", class T,
              detail::Anything operator co_await(const Task<T>&));

inline detail::Schedule ThreadPool::schedule() noexcept { return detail::Schedule(*pool_); }

}  // namespace furca
