// Begins a coroutine from code that is no coroutine, and tells that code of its end.
#pragma once

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/result.hpp>

#include <coroutine>
#include <exception>

namespace furca {

template <class T>
class Async;

namespace detail {

/// The outermost coroutine, which awaits an Async for code that is no coroutine. When it has ended,
/// and its frame is gone, it calls `ended`.
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
    explicit promise_type(const Ended& ended, Arguments&&...) noexcept
        : LinkedJob(&begin), ended_(ended) {}

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
    // there is none: the result has what the Async threw
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }

   private:
    static JobEnd begin(Job& job, Worker& runner, bool) noexcept {
      const RunningTask running(runner);
      std::coroutine_handle<promise_type>::from_promise(static_cast<promise_type&>(job)).resume();
      return JobEnd::of_detached();
    }

    const Ended ended_;
  };

  /// The result goes to `result`.
  template <class T>
  static Driver into(Ended, Async<T> async, Result<T>& result) {
    co_await std::move(async).and_then([&result](Result<T>& from) noexcept {
      result.fill([&from]() -> T { return from.get(); });
    });
  }

  /// The result is dropped.
  template <class T>
  static Driver detached(Ended, Async<T> async, Pool& pool) {
    co_await std::move(async).and_then([&pool](Result<T>& from) noexcept {
      try {
        static_cast<void>(from.get());
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

}  // namespace detail

}  // namespace furca
