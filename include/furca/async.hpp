// Coroutines: Async<T>, how they come into a pool, and how they are waited for.
#pragma once

#include <furca/detail/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/async_promise.hpp>
#include <furca/detail/coroutine_task.hpp>
#include <furca/detail/driver.hpp>
#include <furca/detail/event.hpp>
#include <furca/detail/resumption.hpp>
#include <furca/detail/result.hpp>
#include <furca/spawn.hpp>
#include <furca/thread_pool.hpp>

#include <cassert>
#include <coroutine>
#include <utility>

namespace furca {

/// A coroutine that computes a T (or nothing: Async<>), when somebody wants it: it begins when it is awaited, spawned, or given to sync_wait.
///
///   furca::Async<std::size_t> count_words(furca::ThreadPool& pool, std::string path) {
///     std::string text = co_await read(path);     // on whatever thread the reading ends
///     co_await pool.schedule();                   // from here on, on one of the pool's
///     co_return words_in(text);
///   }
///
/// co_await std::move(a) begins it, at once and on the same thread, and goes on, wherever it ends, with what it returned, or throws what it threw.
/// Arguments are kept in the coroutine's frame: take by value what must outlive the call. One that is dropped before it began
/// never runs; one that has begun and is suspended must not be dropped. g++ without optimisation, or with AddressSanitizer, makes calls of what should
/// be jumps: there a loop over a million co_awaits that do not suspend overflows the stack. A result may need any alignment; local variables and parameters of a
/// coroutine that need more than the result and than usual lie where the compiler puts them (clang 16 has -fcoro-aligned-allocation).
/// Thread-safety: for one thread at a time. Cost: an allocation, the frame, unless the compiler finds that it can do without.
/// Source: L. Baker, "C++ Coroutines: Understanding Symmetric Transfer", 2020.
/// @snippet async.cpp Async
template <class T = void>
class [[nodiscard("an Async that nobody awaits, spawns or gives to sync_wait never runs")]] Async {
 public:
  /// What the compiler looks for in a coroutine's type.
  using promise_type = detail::AsyncPromise<T>;
  /// What the coroutine computes.
  using value_type = T;

  /// `other` is empty afterwards: it must not be awaited.
  Async(Async&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  /// The same; what was here before is dropped.
  Async& operator=(Async&& other) noexcept {
    Async mine(std::move(other));
    std::swap(coroutine_, mine.coroutine_);
    return *this;
  }
  ~Async() {
    if (coroutine_) coroutine_.destroy();
  }

  /// Begins the coroutine; who awaits it goes on when it has ended.
  auto operator co_await() && noexcept {
    struct Awaiter {
      std::coroutine_handle<promise_type> coroutine;
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
        coroutine.promise().caller = caller;
        return coroutine;
      }
      T await_resume() const { return coroutine.promise().result.take(); }
    };
    assert(coroutine_ && "furca: this Async has been moved from");
    return Awaiter{coroutine_};
  }

 private:
  friend promise_type;
  friend class detail::Driver;

  /// As co_await; what it gives is what f makes of the result, which so needs no place in the awaiting frame.
  template <class F>
  auto and_then(F f) && noexcept {
    struct Awaiter {
      std::coroutine_handle<promise_type> coroutine;
      F f;
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
        coroutine.promise().caller = caller;
        return coroutine;
      }
      void await_resume() noexcept { f(coroutine.promise().result); }
    };
    assert(coroutine_ && "furca: this Async has been moved from");
    return Awaiter{coroutine_, f};
  }

  explicit Async(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

/// Begins a coroutine on the calling thread, and returns when it has ended, wherever that is: what it returned, or throws what it threw.
///
/// A thread that is in a pool, the global one too, works for that meanwhile (for the innermost, if pools are nested), on anything there is: so a
/// task may wait for a coroutine that needs the pool, even the only thread of it. What it runs so lies on top of what waits, and must end first. If
/// that waits in turn, by however many steps, for the task below, both wait for ever. So inside tasks and coroutines prefer co_await, and hold
/// no mutex. As a rule such waits lie no more than some ten deep on each other: from eight on a coroutine that comes back to the pool goes on before new tasks
/// begin. What each waits for may still come last; where half of a stack is full of waits (elsewhere than on Linux: after 64 of them) another thread goes on in the place
/// of this one, with the same number; hooks do not run for it, and what is broadcast to this thread runs there.
/// Throws what the coroutine throws; std::bad_alloc before it has begun.
/// Thread-safety: any thread, at any depth.
/// @snippet async.cpp sync_wait
template <class T>
T sync_wait(Async<T> async) {
  detail::Result<T> result;
  detail::Event event;
  detail::Driver::into({[](void* e) noexcept { static_cast<detail::Event*>(e)->set(); }, &event}, std::move(async), result).begin();
  detail::Worker* const self = detail::Worker::if_any();
  event.await(self != nullptr ? &self->pool() : nullptr);
  return result.take();
}

/// co_await furca::schedule() goes on on a thread of the pool that the caller runs on, behind what waits with this thread already: a coroutine that
/// computes for long lets others run so. Throws what spawn throws for a pool of one.
/// @snippet async.cpp schedule
inline detail::Schedule schedule() { return detail::Schedule(detail::Worker::current().pool()); }

/// co_await std::move(task) goes on when the task has ended, on a thread of the task's pool, with what it returned, or throws what it threw. No thread waits
/// meanwhile: prefer it to join() in coroutines. Throws std::logic_error when the handle is empty.
/// Thread-safety: as for the handle. Cost: no allocation.
/// @snippet async.cpp co_await
template <class T>
detail::TaskAwaiter<T> operator co_await(Task<T>&& task) {
  return detail::TaskAwaiter<T>(std::move(task));
}

inline detail::Schedule ThreadPool::schedule() noexcept { return detail::Schedule(*pool_); }

}  // namespace furca
