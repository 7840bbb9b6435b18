// The site of a call in the source, for traces: std::source_location, or the part of it that clang
// 14 can have; and the name of the call.
#pragma once

#include <furca/detail/base/config.hpp>

#include <version>

#if defined(__cpp_lib_source_location)

#include <source_location>

namespace furca {

/// The site of a call. It is the last argument of each, with the caller's own place for its
/// default; a function that calls furca for others can pass on theirs.
using SourceLocation = std::source_location;

}  // namespace furca

#else

namespace furca {

struct SourceLocation {
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          const char* function = __builtin_FUNCTION(),
                                          std::uint_least32_t line = __builtin_LINE()) noexcept {
    return {file, function, line};
  }
  constexpr const char* file_name() const noexcept { return file_; }
  constexpr const char* function_name() const noexcept { return function_; }
  constexpr std::uint_least32_t line() const noexcept { return line_; }
  constexpr std::uint_least32_t column() const noexcept { return 0; }
  const char* file_ = "";
  const char* function_ = "";
  std::uint_least32_t line_ = 0;
};

}  // namespace furca

#endif

namespace furca::detail {

/// Whether a SourceLocation is a std::source_location. The library's may be another one than its
/// callers'.
#if defined(__cpp_lib_source_location)
inline constexpr bool kHasStdLocation = true;
#else
inline constexpr bool kHasStdLocation = false;
#endif

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
