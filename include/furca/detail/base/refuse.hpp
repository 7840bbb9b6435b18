// Exceptions of headers that do without <stdexcept>, which brings strings.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

/// Throws std::invalid_argument.
[[noreturn]] FURCA_COLD FURCA_API void refuse(const char* message);

/// Throws std::length_error.
[[noreturn]] FURCA_COLD FURCA_API void refuse_length(const char* message);

/// Throws std::out_of_range.
[[noreturn]] FURCA_COLD FURCA_API void refuse_index(const char* message);

}  // namespace furca::detail
