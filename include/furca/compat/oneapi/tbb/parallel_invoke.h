// tbb::parallel_invoke on furca: two functions or more.
#pragma once

#include "detail/loop_call.h"
#include "task_group.h"

#include <furca/join.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb {

namespace detail {

/// Runs them in the context that was given, or else in the caller's, if any. What they return is
/// dropped.
template <class... F>
void invoke_all(task_group_context* given, F&... f) {
  if (given == nullptr && current_context() == nullptr && !is_observed())
    return furca::join([&f] { static_cast<void>(f()); }...);
  const LoopCall call(given);
  const auto run = [&call](auto& function) {
    if (!call.stopped()) call.joined_chunk([&function] { static_cast<void>(function()); });
  };
  furca::join([&run, &f] { run(f); }...);
}

}  // namespace detail

/// As oneTBB's: runs all functions, in parallel where threads are free, and returns when every one
/// has finished.
/// Exceptions: the first of them in order; functions that have not begun are skipped.
/// Thread-safety: any thread, at any depth.
/// @{
template <std::invocable F, std::invocable G, std::invocable... More>
void parallel_invoke(F&& f, G&& g, More&&... more) {
  detail::invoke_all(nullptr, f, g, more...);
}

template <class F, class G, class... More>
  requires(
      std::same_as<
          std::remove_cvref_t<std::tuple_element_t<sizeof...(More) + 1, std::tuple<F, G, More...>>>,
          task_group_context>)
void parallel_invoke(F&& f, G&& g, More&&... more) {
  const auto all = std::tie(f, g, more...);
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    detail::invoke_all(&std::get<sizeof...(More) + 1>(all), std::get<i>(all)...);
  }(std::make_index_sequence<sizeof...(More) + 1>());
}
/// @}

}  // namespace tbb
