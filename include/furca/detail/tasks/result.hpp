// A result that one thread computes for another: nothing yet, a value, or an exception.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/fork/job.hpp>

#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace furca::detail {

/// An Outcome that knows whether there is one: it may be dropped at any time.
template <class T>
class Result {
  using Value = std::conditional_t<std::is_void_v<T>, Unit, T>;
  static constexpr bool kReference = std::is_reference_v<Value>;
  using Stored = std::conditional_t<kReference, std::add_pointer_t<Value>, std::remove_cv_t<Value>>;

 public:
  /// The value that f returns, or the exception that it throws.
  template <class F>
  void fill(F&& f) noexcept {
    try {
      set(detail::call(std::forward<F>(f)));
    } catch (...) {
      fail(std::current_exception());
    }
  }

  template <class U>
  void set(U&& value) {
    if constexpr (kReference) {
      result_.template emplace<1>(std::addressof(value));
    } else {
      result_.template emplace<1>(std::forward<U>(value));
    }
  }

  void fail(std::exception_ptr error) noexcept { result_.template emplace<2>(std::move(error)); }

  /// Once: the value, or throws the exception.
  T get() {
    if (result_.index() == 2) std::rethrow_exception(std::move(std::get<2>(result_)));
    if constexpr (std::is_void_v<T>) {
      return;
    } else if constexpr (kReference) {
      return static_cast<T>(*std::get<1>(result_));
    } else {
      return std::move(std::get<1>(result_));
    }
  }

 private:
  std::variant<std::monostate, Stored, std::exception_ptr> result_;
};

}  // namespace furca::detail
