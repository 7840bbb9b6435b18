// The site of a call in the source, for traces: std::source_location, or the part of it that clang
// 14 can have.
#pragma once

#include <version>

#if defined(__cpp_lib_source_location)

#include <source_location>

namespace furca {

/// The site of a call. It is the last argument of each, with the caller's own place for its
/// default; a function that calls furca for others can pass on theirs.
using SourceLocation = std::source_location;

}  // namespace furca

#else

#include <cstdint>

namespace furca {

class SourceLocation {
 public:
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          const char* function = __builtin_FUNCTION(),
                                          std::uint_least32_t line = __builtin_LINE()) noexcept {
    SourceLocation here;
    here.file_ = file;
    here.function_ = function;
    here.line_ = line;
    return here;
  }
  constexpr const char* file_name() const noexcept { return file_; }
  constexpr const char* function_name() const noexcept { return function_; }
  constexpr std::uint_least32_t line() const noexcept { return line_; }
  constexpr std::uint_least32_t column() const noexcept { return 0; }

 private:
  const char* file_ = "";
  const char* function_ = "";
  std::uint_least32_t line_ = 0;
};

}  // namespace furca

#endif
