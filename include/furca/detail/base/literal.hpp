// A string literal as a template argument.
#pragma once

#include <furca/detail/base/config.hpp>

#include <cstddef>

namespace furca::detail {

/// The name of a call in traces ("loop"), so that a function that is made of loops has its own one
/// there and the library has no list of them; the sentence for a wrong call.
/// Rejected: a template over the length. g++ 14 cannot import a module that has one.
struct Literal {
  template <std::size_t N>
  consteval Literal(const char (&literal)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }

  char text[160] = {};
};

}  // namespace furca::detail
