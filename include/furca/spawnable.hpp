// Spawnable: a callable that can be a task of a scope, or a detached one.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>

#include <concepts>

namespace furca {

/// Something that can be spawned: callable once, without arguments.
template <class F>
concept Spawnable = std::invocable<std::decay_t<F>> && std::constructible_from<std::decay_t<F>, F>;

}  // namespace furca
