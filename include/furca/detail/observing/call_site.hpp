// The name of a call, and its site in the source, for what observes calls.
#pragma once

#include <furca/detail/base/literal.hpp>

#include <cstdint>

namespace furca::detail {

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
