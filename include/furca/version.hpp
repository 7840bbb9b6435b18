// The version: of the headers at compile time, and of the library that the program runs with.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>

/// The version of the headers. Before 1.0 a minor version may change API and ABI; a patch version
/// changes neither. The headers inline a part of the scheduler, so headers and library must have
/// the same minor version. The shared library's name (libfurca.so.0.2) contains it.
/// @snippet version.cpp version
/// @{
#define FURCA_VERSION_MAJOR 0
#define FURCA_VERSION_MINOR 2
#define FURCA_VERSION_PATCH 0
#define FURCA_VERSION_STRING "0.2.0"
/// @}

/// For conditional compilation: 10,000 * major + 100 * minor + patch.
#define FURCA_VERSION \
  (FURCA_VERSION_MAJOR * 10000 + FURCA_VERSION_MINOR * 100 + FURCA_VERSION_PATCH)

FURCA_DECLARES(version);

namespace furca::found_by_name {
FURCA_SAYS(version, "write version()")
}  // namespace furca::found_by_name

namespace furca {

/// The FURCA_VERSION_STRING that the library was compiled with. If its minor version differs from
/// the program's, headers and library do not fit together. Thread-safety: any thread, at any time.
FURCA_API const char* version() noexcept;

}  // namespace furca
