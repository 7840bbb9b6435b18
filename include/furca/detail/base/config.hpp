// Compiler and platform facts that the rest of the library builds on.
#pragma once

#if __cplusplus < 202002L
#error "furca needs C++20: compile with -std=c++20 (Meson: cpp_std=c++20; CMake: link furca::furca)"
// there is no such file, so the hundreds of errors that would follow are not printed
#include <stopped here>
#endif

#ifndef __cpp_exceptions
#error "furca needs exceptions: compile without -fno-exceptions"
#include <stopped here>
#endif

// a compare-and-swap has no release half there
#if defined(__riscv) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
#error "furca: g++ before 14 leaves out releases on RISC-V: a job could run twice. Use 14, or clang"
#endif

#include <cstddef>

/// Marks the few symbols that a shared libfurca exports; everything else is built hidden.
#define FURCA_API [[gnu::visibility("default")]]

/// Marks a type whose layout depends on macros of libstdc++. Under another name, its functions are
/// not taken for those of the library's own type when both are linked.
#if defined(_GLIBCXX_DEBUG) && defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define FURCA_LAYOUT [[gnu::abi_tag("debug", "cxx98")]]
#elif defined(_GLIBCXX_DEBUG)
#define FURCA_LAYOUT [[gnu::abi_tag("debug")]]
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define FURCA_LAYOUT [[gnu::abi_tag("cxx98")]]
#else
#define FURCA_LAYOUT
#endif

/// Marks what the fast path calls almost never, so that it is neither inlined nor laid out beside
/// it.
#define FURCA_COLD [[gnu::noinline, gnu::cold]]

/// Marks what a fork consists of: clang's inliner tires of joins of many arms.
#define FURCA_INLINE __attribute__((always_inline))

/// Marks a function of which there is one copy: not inlined, nor cloned for some callers.
#if defined(__clang__)
#define FURCA_COMPILED_ONCE [[gnu::noinline]]
#else
#define FURCA_COMPILED_ONCE [[gnu::noinline, gnu::noclone]]
#endif

/// Marks a function that has an inner loop: its own, since what stands around a loop can make its
/// code worse; and g++ begins its loops on a cache line of 64 bytes, since one of six instructions
/// takes up to twice as long across two. clang unrolls such loops, so that it does not matter.
/// Rejected: #pragma GCC unroll 4: a body of a dozen calls became 2,057 bytes instead of 361.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define FURCA_INNER_LOOP [[gnu::noinline, gnu::optimize("align-loops=64")]]
#else
#define FURCA_INNER_LOOP [[gnu::noinline]]
#endif

/// The address of the calling function's frame on its thread's stack.
#define FURCA_FRAME_ADDRESS() __builtin_frame_address(0)

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
