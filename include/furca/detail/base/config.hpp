// Compiler and platform facts that the rest of the library builds on.
#pragma once

#if __cplusplus < 202002L
#error "furca needs C++20: compile with -std=c++20 (Meson: cpp_std=c++20; CMake: link furca::furca)"
// cl.exe: /std:c++20 /Zc:__cplusplus
// there is no such file, so the hundreds of errors that would follow are not printed
#include <stopped here>
#endif

#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#error "furca needs exceptions: compile without -fno-exceptions"
#include <stopped here>
#endif

// a compare-and-swap has no release half there
#if defined(__riscv) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
#error "furca: g++ before 14 leaves out releases on RISC-V: a job could run twice. Use 14, or clang"
#endif

#include <furca/detail/base/compiler.hpp>

#include <cstddef>

namespace furca::detail {

/// Two 64-byte lines: adjacent-line prefetchers move cache lines in pairs (x86-64), and some cores
/// have 128-byte lines.
inline constexpr std::size_t kCacheLine = 128;

}  // namespace furca::detail

namespace furca {

/// The namespace of the algorithms and views, so that none of them is found by its arguments alone:
/// fill(v.begin(), v.end(), 0) after `using std::fill` means std's, also for a std::vector of
/// Tasks. No type belongs in here, for it would undo that. Users write furca::fill.
namespace found_by_name {}
using namespace found_by_name;

}  // namespace furca
