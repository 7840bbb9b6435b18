// Which furca this is: what these headers say at compile time, and what the library says that the program runs with.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

/// Before 1.0 a minor version may change API and ABI; a patch version changes neither. The headers inline a part of the scheduler, so
/// headers and library must be of one minor version; the name of the shared library (libfurca.so.0.1) tells the dynamic linker.
/// @snippet version.cpp version
/// @{
#define FURCA_VERSION_MAJOR 0
#define FURCA_VERSION_MINOR 1
#define FURCA_VERSION_PATCH 0
#define FURCA_VERSION_STRING "0.1.0"
/// @}

/// For conditional compilation: 10,000 * major + 100 * minor + patch.
/// @snippet version.cpp FURCA_VERSION
#define FURCA_VERSION (FURCA_VERSION_MAJOR * 10000 + FURCA_VERSION_MINOR * 100 + FURCA_VERSION_PATCH)

namespace furca {

/// The FURCA_VERSION_STRING that the library was compiled with. If it differs from the program's own in more than the patch version, the headers
/// are not the library's. From any thread, at any time.
/// @snippet version.cpp version
FURCA_API const char* version() noexcept;

}  // namespace furca
