// The name of a call, and its site in the source, for what observes calls.
#pragma once

#include <furca/detail/base/config.hpp>

#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A string literal as a template argument: the name of a call in traces ("loop"), so that a
/// function that is made of loops has its own one there and the library has no list of them.
/// Rejected: a template over the length. g++ 14 cannot import a module that has one.
struct Literal {
  template <std::size_t N>
  consteval Literal(const char (&literal)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }

  char text[160] = {};
};

/// The call, and its site in the source, as the library takes them: compilers differ in what a
/// SourceLocation is.
struct SourceSite {
  const char* call;
  const char* file;
  const char* function;
  std::uint32_t line;
  std::uint32_t column;
};

/// `where`: a Location. A template, so that objects of compilers that have different
/// SourceLocations can be linked with each other.
template <Literal name, class Location>
SourceSite site_of(const void* where) noexcept {
  const auto& location = *static_cast<const Location*>(where);
  return {name.text, location.file_name(), location.function_name(), location.line(),
          location.column()};
}

}  // namespace furca::detail
