// join: run two or more callables, possibly at the same time, and return what they return.
#pragma once

#if __cplusplus < 202002L
#error "furca needs C++20: compile with -std=c++20 (Meson: cpp_std=c++20)"
#endif

#include <furca/detail/worker.hpp>

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca {

/// Something that join can run: callable without arguments, with a result that can be moved to the caller (or none).
template <class F>
concept JoinArm = std::invocable<F> && (std::is_void_v<std::invoke_result_t<F>> || std::is_reference_v<std::invoke_result_t<F>> ||
                                        std::move_constructible<std::invoke_result_t<F>>);

namespace detail {

/// How a thief gets at an arm. A small temporary is copied: the forker's own then never leaves its frame, and the compiler
/// keeps its captures in registers. Everything else is pointed to; what the arm changes in a named callable stays visible.
template <class F>
consteval bool copied_for_thief() {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_lvalue_reference_v<F> || std::is_function_v<Callable>) {
    return false;
  } else {
    return std::is_trivially_copyable_v<Callable> && std::is_copy_constructible_v<Callable> && sizeof(Callable) <= 64;
  }
}

template <class F>
class ForkedArm : public Job {
  using Callable = std::remove_reference_t<F>;
  using Result = std::invoke_result_t<F>;
  using Held = std::conditional_t<copied_for_thief<F>(), Callable, Callable*>;
  using Value = std::conditional_t<std::is_void_v<Result>, Unit, Result>;

 public:
  explicit ForkedArm(Callable& callable) noexcept : Job(&run_stolen), held_(hold(callable)) {}

  Outcome<Value> outcome;

 private:
  static Held hold(Callable& callable) noexcept {
    if constexpr (copied_for_thief<F>()) {
      return callable;
    } else {
      return std::addressof(callable);
    }
  }

  static void run_stolen(Job& job) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    self.outcome.fill([&]() -> Value {
      if constexpr (copied_for_thief<F>()) {
        return detail::call(std::forward<F>(self.held_));
      } else {
        return detail::call(std::forward<F>(*self.held_));
      }
    });
  }

  Held held_;
};

/// A result as a tuple of one, or of none for Unit.
template <class R>
constexpr auto as_tuple(R&& result) {
  if constexpr (std::is_same_v<std::remove_cvref_t<R>, Unit>) {
    return std::tuple<>();
  } else {
    return std::tuple<R>(std::forward<R>(result));
  }
}

template <class... Arms>
inline constexpr bool kAllVoid = (std::is_void_v<std::invoke_result_t<Arms>> && ...);

/// Runs a here, and b here or in a thief; returns both results, with Unit for void.
template <class A, class B>
auto join_pair(Worker& self, A&& a, B&& b) {
  using ResultA = decltype(detail::call(std::forward<A>(a)));
  using ResultB = decltype(detail::call(std::forward<B>(b)));
  using Both = std::pair<ResultA, ResultB>;

  ForkedArm<B> arm(b);
  const Worker::Index at = self.fork(arm);
  if (at == Worker::kNoJob) [[unlikely]] {  // out of memory: nobody can help
    ResultA first = detail::call(std::forward<A>(a));
    return Both(std::forward<ResultA>(first), detail::call(std::forward<B>(b)));
  }
  ResultA first = [&]() -> ResultA {
    Withdrawal withdrawal(self, at, arm);
    if constexpr (std::is_reference_v<ResultA> || std::is_nothrow_move_constructible_v<ResultA>) {
      ResultA result = detail::call(std::forward<A>(a));
      withdrawal.not_needed();
      return std::forward<ResultA>(result);
    } else {  // made in place: a move might throw when the arm is withdrawn no more
      withdrawal.needed_only_when_unwinding();
      return detail::call(std::forward<A>(a));
    }
  }();
  if (self.take(at)) [[likely]] return Both(std::forward<ResultA>(first), detail::call(std::forward<B>(b)));
  self.wait(arm.latch);
  return Both(std::forward<ResultA>(first), arm.outcome.take());
}

template <class A, class B, class... Rest>
auto join_tuple(Worker& self, A&& a, B&& b, Rest&&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    auto [first, second] = detail::join_pair(self, std::forward<A>(a), std::forward<B>(b));
    return std::tuple_cat(detail::as_tuple(std::forward<decltype(first)>(first)), detail::as_tuple(std::forward<decltype(second)>(second)));
  } else {
    // The other arms are one job: whoever steals it publishes them in turn.
    auto others = [&] { return detail::join_tuple(Worker::current(), std::forward<B>(b), std::forward<Rest>(rest)...); };
    auto [first, second] = detail::join_pair(self, std::forward<A>(a), std::move(others));
    return std::tuple_cat(detail::as_tuple(std::forward<decltype(first)>(first)), std::move(second));
  }
}

}  // namespace detail

/// Runs all arms, in parallel where threads are free, and returns when every one has finished.
///
/// Returns a std::tuple of the arms' results in their order; arms that return void drop out, and if all do, join returns void.
/// The first arm runs on the calling thread; every other arm can be stolen until it starts, and runs here, in order, if it was
/// not. On a pool of one the arms run one after the other.
/// Exceptions: what running the arms in order would have thrown. When an arm throws, later arms that were not started are
/// skipped, and those that were are waited for. Throws std::bad_alloc of its own only when an outside thread calls in
/// for the first time; a join in a running call allocates nothing.
/// Cost: a few nanoseconds over calling the arms in turn; a join that finds every thread asleep also wakes one, which takes some
/// microseconds. Work T1 + O(arms), span max over the arms.
/// A small temporary callable may be copied, and the copy be run; what an arm changes in its own captures is kept for named
/// callables only.
/// Waiting for a stolen arm helps with that arm's own forks only (see WaitPolicy), so it is safe to hold a mutex across join.
/// Thread-safety: any thread, at any depth.
template <JoinArm A, JoinArm B, JoinArm... Rest>
auto join(A&& a, B&& b, Rest&&... rest) {
  detail::Worker& self = detail::Worker::current();
  if constexpr (detail::kAllVoid<A, B, Rest...>) {
    detail::join_tuple(self, std::forward<A>(a), std::forward<B>(b), std::forward<Rest>(rest)...);
  } else {
    return detail::join_tuple(self, std::forward<A>(a), std::forward<B>(b), std::forward<Rest>(rest)...);
  }
}

}  // namespace furca
