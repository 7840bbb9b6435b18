// What answers a scope that nothing fits (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/mistakes.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/options.hpp>

#include <concepts>

namespace furca {

/// @cond
template <class Body>
auto scope(Body&&, const ScopeOptions& = {}, const SourceLocation = SourceLocation::current()) {
  static_assert(detail::kFits<Body>,
                "furca: the body of a scope is called with a furca::Scope&: write scope([&](furca::Scope& s) { s.spawn([&] { work(); }); })");
  return detail::Anything();
}

template <class Body>
auto scope_fifo(Body&&, const ScopeOptions& = {}, const SourceLocation = SourceLocation::current()) {
  static_assert(detail::kFits<Body>,
                "furca: the body of a scope is called with a furca::ScopeFifo&: write scope_fifo([&](furca::ScopeFifo& s) { s.spawn([&] { work(); "
                "}); })");
  return detail::Anything();
}

template <class... Arguments>
  requires(... && !std::convertible_to<Arguments, const ScopeOptions&>)
auto scope(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>, "furca: a scope has one body, and its options have names: write scope([&](furca::Scope& s) { ... }, {.stop = token})");
  return detail::Anything();
}

template <class... Arguments>
  requires(... && !std::convertible_to<Arguments, const ScopeOptions&>)
auto scope_fifo(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>,
                "furca: a scope has one body, and its options have names: write scope_fifo([&](furca::ScopeFifo& s) { ... }, {.stop = token})");
  return detail::Anything();
}
/// @endcond

}  // namespace furca
