// Coroutines: Async<T>, how they come into a pool, and how they are waited for.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/event.hpp>
#include <furca/detail/pool_door.hpp>
#include <furca/detail/result.hpp>
#include <furca/spawn.hpp>
#include <furca/thread_pool.hpp>

#include <cassert>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace furca {

namespace detail {

template <class T>
struct AsyncPromise;

class Driver;

/// Where coroutine frames with an over-aligned result lie: compilers ask for memory as if nothing in a frame needed more than the usual alignment.
/// (A local variable that needs more than the result does is the compiler's affair: clang 16 has -fcoro-aligned-allocation.)
/// Checked by: tests/async_test.cpp ("an over-aligned result lies where it must")
template <std::size_t kAlignment, bool kOverAligned = (kAlignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)>
struct FrameMemory {};

template <std::size_t kAlignment>
struct FrameMemory<kAlignment, true> {
  static void* operator new(std::size_t bytes) { return ::operator new(bytes, std::align_val_t(kAlignment)); }
  static void operator delete(void* frame, std::size_t) noexcept { ::operator delete(frame, std::align_val_t(kAlignment)); }
};

/// What co_return does, for a value and for none.
template <class T>
struct AsyncReturn {
  Result<T> result;
  template <class U = T>
    requires std::convertible_to<U&&, T>
  void return_value(U&& value) {
    result.set(std::forward<U>(value));
  }
};

template <>
struct AsyncReturn<void> {
  Result<void> result;
  void return_void() { result.set(Unit{}); }
};

/// A suspended coroutine as a job of a pool, which resumes it. Lies in the coroutine's frame, and so allocates nothing.
class Resumption : public LinkedJob {
 public:
  Resumption() noexcept : LinkedJob(&run_task) {}

 protected:
  ~Resumption() = default;
  std::coroutine_handle<> coroutine_;

 private:
  static JobEnd run_task(Job& job, Worker& runner, bool) noexcept {
    const Worker::RunningTask running(runner);
    static_cast<Resumption&>(job).coroutine_.resume();
    return JobEnd::of_detached();
  }
};

/// co_await pool.schedule().
class Schedule : public Resumption {
 public:
  explicit Schedule(Pool& pool) noexcept : pool_(pool) {}

  bool await_ready() const noexcept { return false; }

  /// Once it is posted the coroutine may run, and end, elsewhere.
  void await_suspend(std::coroutine_handle<> coroutine) {
    coroutine_ = coroutine;
    need_task_thread(pool_);
    post_last(pool_, *this);
  }

  void await_resume() const noexcept {}

 private:
  Pool& pool_;
};

/// co_await of a Task.
template <class T>
class TaskAwaiter : public Resumption {
 public:
  explicit TaskAwaiter(Task<T>&& task) : task_(std::move(task)) {}

  bool await_ready() const { return task_.ready(); }

  /// Once the task knows of it the coroutine may run, and end, elsewhere.
  bool await_suspend(std::coroutine_handle<> coroutine) noexcept {
    coroutine_ = coroutine;
    return task_.state_->continue_with(*this);
  }

  T await_resume() { return task_.join(); }

 private:
  Task<T> task_;
};

}  // namespace detail

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

namespace detail {

template <class T>
struct AsyncPromise : AsyncReturn<T>, FrameMemory<alignof(Result<T>)> {
  std::coroutine_handle<> caller;

  Async<T> get_return_object() noexcept { return Async<T>(std::coroutine_handle<AsyncPromise>::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  auto final_suspend() const noexcept {
    struct BackToCaller {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<AsyncPromise> self) const noexcept { return self.promise().caller; }
      void await_resume() const noexcept {}
    };
    return BackToCaller{};
  }
  void unhandled_exception() noexcept { this->result.fail(std::current_exception()); }
};

/// The outermost coroutine, which awaits an Async for somebody who is none. When it has ended, and its frame is gone, it calls `ended`.
/// As a job of a pool it begins when that runs it.
class Driver {
 public:
  struct Ended {
    void (*call)(void*) noexcept;
    void* what;
  };

  class promise_type : public LinkedJob {
   public:
    template <class... Arguments>
    explicit promise_type(const Ended& ended, Arguments&&...) noexcept : LinkedJob(&begin), ended_(ended) {}

    Driver get_return_object() noexcept { return Driver(*this); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept {
      struct Finish {
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
          const Ended ended = self.promise().ended_;
          self.destroy();
          ended.call(ended.what);
        }
        void await_resume() const noexcept {}
      };
      return Finish{};
    }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }  // there is none: the result has what the Async threw

   private:
    static JobEnd begin(Job& job, Worker& runner, bool) noexcept {
      const Worker::RunningTask running(runner);
      std::coroutine_handle<promise_type>::from_promise(static_cast<promise_type&>(job)).resume();
      return JobEnd::of_detached();
    }

    const Ended ended_;
  };

  /// The result goes to `result`.
  template <class T>
  static Driver into(Ended, Async<T> async, Result<T>& result) {
    co_await std::move(async).and_then([&result](Result<T>& from) noexcept { result.fill([&from]() -> T { return from.take(); }); });
  }

  /// Nobody wants the result.
  template <class T>
  static Driver detached(Ended, Async<T> async, Pool& pool) {
    co_await std::move(async).and_then([&pool](Result<T>& from) noexcept {
      try {
        static_cast<void>(from.take());
      } catch (...) {
        report(pool, std::current_exception());
      }
    });
  }

  /// It has not begun: the caller is answerable for it.
  promise_type& promise() const noexcept { return *promise_; }
  void begin() const { std::coroutine_handle<promise_type>::from_promise(*promise_).resume(); }
  void destroy() const { std::coroutine_handle<promise_type>::from_promise(*promise_).destroy(); }

 private:
  explicit Driver(promise_type& promise) noexcept : promise_(&promise) {}

  promise_type* promise_;
};

/// A coroutine with a handle, the job that begins it, and its end: three parties. It is one of the pool's tasks until it has ended,
/// wherever it is suspended meanwhile.
template <class T>
class CoroutineTask final : public TaskState<T> {
 public:
  CoroutineTask(Pool& pool, Async<T>&& async) : TaskState<T>(pool, 3), driver_(Driver::into({&ended, this}, std::move(async), this->result)) {
    count_begin(pool);
  }

  bool over() const noexcept override { return event_.is_set(); }

  void finish() override {
    if (!over()) {
      const Visit visit(this->pool());
      Worker& self = Worker::current();
      if (this->claim()) {
        const Worker::RunningTask running(self);
        driver_.begin();
      }
    }
    event_.await(&this->pool());
  }

  bool cancel() noexcept override {
    if (!this->claim()) return false;
    driver_.destroy();
    count_end(this->pool());
    static_cast<void>(this->leave());  // for its end, and never the last one: this handle is there still
    this->drop_content();
    return true;
  }

 private:
  bool run_content() noexcept override {
    driver_.begin();
    return false;
  }

  void destroy_content() noexcept override { std::destroy_at(&this->result); }

  static void ended(void* task) noexcept {
    auto& self = *static_cast<CoroutineTask*>(task);
    Pool& pool = self.pool();
    self.event_.set();
    self.post_continuation();
    if (self.leave()) SharedTask::destroy(self);
    count_end(pool);
  }

  Event event_;
  Driver driver_;
};

/// A coroutine is spawned as a task that begins it; as long as it has not ended it is one of the pool's.
template <class T>
struct Spawning<Async<T>> {
  static void spawn(Pool& pool, Async<T>&& async) {
    need_task_thread(pool);
    const auto ended = [](void* p) noexcept { count_end(*static_cast<Pool*>(p)); };
    const Driver driver = Driver::detached({ended, &pool}, std::move(async), pool);
    count_begin(pool);
    post_last(pool, driver.promise());
  }

  static Task<T> spawn_task(Pool& pool, Async<T>&& async) {
    need_task_thread(pool);
    auto& task = SharedTask::make<CoroutineTask<T>>(pool, std::move(async));
    post_last(pool, task);
    return Task<T>(task);
  }
};

}  // namespace detail

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
