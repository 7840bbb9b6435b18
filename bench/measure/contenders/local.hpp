#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace bench::detail {

/// What a task keeps a callable of type F in: a copy, if that is a few words, so that the compiler
/// sees that the loop's stores do not change it, as in the plain loop. Otherwise a reference.
template <class F>
using Local =
    std::conditional_t<std::is_trivially_copyable_v<std::remove_cvref_t<F>> && sizeof(F) <= 64,
                       std::remove_reference_t<F>, std::remove_reference_t<F>&>;

/// A reduction's map either returns what i contributes, or adds it in place.
template <class T, class Map, class Op>
void fold_in(T& into, std::size_t i, Map& map, Op& op) {
  if constexpr (std::invocable<Map&, std::size_t>) {
    into = op(std::move(into), map(i));
  } else {
    map(into, i);
  }
}

}  // namespace bench::detail
