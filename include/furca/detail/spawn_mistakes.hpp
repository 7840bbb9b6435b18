// What can be spawned, and what answers a spawn of anything else (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/mistakes.hpp>
#include <furca/detail/task.hpp>

#include <concepts>
#include <type_traits>

namespace furca {

template <class T>
class Async;

namespace detail {

template <class T>
inline constexpr bool kIsAsync = false;
template <class T>
inline constexpr bool kIsAsync<Async<T>> = true;

/// Something to spawn: a callable, or a coroutine that has not begun. Not a function that makes a coroutine, which would never begin.
template <class F>
concept SpawnsTask = std::constructible_from<std::decay_t<F>, F> &&
                     (kIsAsync<std::decay_t<F>> || (Spawnable<F> && !kIsAsync<std::invoke_result_t<std::decay_t<F>>>));

/// The same where the result is wanted: it is moved to the handle's owner.
template <class F>
concept SpawnsResult = SpawnsTask<F> && (kIsAsync<std::decay_t<F>> || std::is_void_v<std::invoke_result_t<std::decay_t<F>>> ||
                                         std::is_reference_v<std::invoke_result_t<std::decay_t<F>>> ||
                                         std::move_constructible<std::invoke_result_t<std::decay_t<F>>>);

/// Why F cannot be spawned.
template <class F>
auto explain_spawn() {
  if constexpr (!std::constructible_from<std::decay_t<F>, F>) {
    static_assert(kFits<F>, "furca: what is spawned is moved or copied into the task, and this cannot be: write spawn(std::move(f))");
  } else if constexpr (!std::invocable<std::decay_t<F>>) {
    static_assert(kFits<F>, "furca: a task is something to call, without arguments: write spawn([f, x] { f(x); })");
  } else if constexpr (kIsAsync<std::invoke_result_t<std::decay_t<F>>>) {
    static_assert(kFits<F>, "furca: this makes a coroutine, and nobody would begin it: spawn what it returns, spawn(f())");
  } else {
    static_assert(kFits<F>, "furca: what a task with a handle returns is moved to who joins it: return something that can be moved, or a pointer to it");
  }
  return Anything();
}

}  // namespace detail

/// @cond
template <class F>
auto spawn(F&&) {
  return detail::explain_spawn<F>();
}

template <class F>
auto spawn_task(F&&) {
  return detail::explain_spawn<F>();
}

template <class First, class Second, class... More>
auto spawn(First&&, Second&&, More&&...) {
  static_assert(detail::kFits<First>, "furca: a task is called without arguments: write spawn([f, x] { f(x); })");
  return detail::Anything();
}

template <class First, class Second, class... More>
auto spawn_task(First&&, Second&&, More&&...) {
  static_assert(detail::kFits<First>, "furca: a task is called without arguments: write spawn_task([f, x] { return f(x); })");
  return detail::Anything();
}
/// @endcond

}  // namespace furca
