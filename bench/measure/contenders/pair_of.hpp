#pragma once

#include <type_traits>
#include <utility>

namespace bench::detail {

/// For runtimes whose fork returns nothing: fork(a, b) with the results of a and b, if they have
/// some, put into a pair.
template <class A, class B, class Fork>
auto pair_of(A& a, B& b, Fork fork) {
  if constexpr (std::is_void_v<std::invoke_result_t<A&>>) {
    fork(a, b);
  } else {
    std::pair<std::invoke_result_t<A&>, std::invoke_result_t<B&>> results;
    fork([&] { results.first = a(); }, [&] { results.second = b(); });
    return results;
  }
}

}  // namespace bench::detail
