// The promise of a coroutine that returns an Async<T>: its frame's memory, its result, whom it goes
// back to.
#pragma once

#include <furca/detail/tasks/result.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <new>

namespace furca {

template <class T>
class Async;

namespace detail {

/// The memory of coroutine frames with an over-aligned result: compilers ask for memory as if
/// nothing in a frame needed more than the usual alignment. (A local variable that needs more than
/// the result does is the compiler's affair: clang 16 has
/// -fcoro-aligned-allocation.)
/// Checked by: tests/tasks/async_test.cpp ("an over-aligned result lies where it must")
template <std::size_t kAlignment,
          bool kOverAligned = (kAlignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)>
struct FrameMemory {};

template <std::size_t kAlignment>
struct FrameMemory<kAlignment, true> {
  static void* operator new(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t(kAlignment));
  }
  static void operator delete(void* frame, std::size_t) noexcept {
    ::operator delete(frame, std::align_val_t(kAlignment));
  }
};

/// The effect of co_return, for a value and for none.
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

template <class T>
struct AsyncPromise : AsyncReturn<T>, FrameMemory<alignof(Result<T>)> {
  std::coroutine_handle<> caller;

  Async<T> get_return_object() noexcept {
    return Async<T>(std::coroutine_handle<AsyncPromise>::from_promise(*this));
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  auto final_suspend() const noexcept {
    struct BackToCaller {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<AsyncPromise> self) const noexcept {
        return self.promise().caller;
      }
      void await_resume() const noexcept {}
    };
    return BackToCaller{};
  }
  void unhandled_exception() noexcept { this->result.fail(std::current_exception()); }
};

}  // namespace detail

}  // namespace furca
