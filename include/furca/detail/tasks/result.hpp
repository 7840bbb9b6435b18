// A result that one thread computes for another: nothing yet, a value, or an exception.
#pragma once

#include <furca/detail/fork/job.hpp>

#include <exception>

namespace furca::detail {

/// An Outcome that knows whether there is one: it may be dropped at any time, and another one take
/// its place, as where a destructor throws behind a co_return.
template <class T>
class Result {
  using Value = std::conditional_t<std::is_void_v<T>, Unit, T>;

 public:
  Result() = default;
  ~Result() { discard(); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  /// The value that f returns, or the exception that it throws.
  template <class F>
  void fill(F&& f) noexcept {
    discard();
    outcome_.fill([&]() -> Value { return detail::call(std::forward<F>(f)); });
    there_ = true;
  }

  /// Throws what the value's constructor throws.
  template <class U>
  void set(U&& value) {
    const auto make = [&]() -> Value { return static_cast<Value>(std::forward<U>(value)); };
    discard();
    outcome_.set_to(make);
    there_ = true;
  }

  void fail(std::exception_ptr error) noexcept {
    discard();
    outcome_.fail(std::move(error));
    there_ = true;
  }

  /// Once: the value, or throws the exception.
  T get() {
    there_ = false;
    return static_cast<T>(outcome_.get());
  }

 private:
  void discard() noexcept {
    if (std::exchange(there_, false)) outcome_.discard();
  }

  Outcome<Value> outcome_;
  bool there_ = false;
};

}  // namespace furca::detail
