// What the library asks of compilers, and attributes for which these have words of their own. Every
// header has it, by way of its first include if not itself: so what is asked is reported first, and
// the standard's headers that nearly all need are here.
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

// FURCA_CL: for cl.exe. Whoever defines it has clang compile as if it were that one.
// FURCA_API: the few symbols that a shared libfurca exports; everything else is built hidden.
// cl.exe builds no shared one: it exports no thread_local variables.
// FURCA_COLD: what the fast path calls almost never, neither inlined nor laid out beside it.
// FURCA_INLINE: what a fork consists of: clang's inliner tires of joins of many arms.
// FURCA_FRAME_ADDRESS(): the address of the calling function's frame on its thread's stack.
// FURCA_NO_UNIQUE_ADDRESS: a member that takes no room where it is empty. cl.exe, and clang for its
// libraries, ignore the standard's word.
#if defined(_MSC_VER) && (!defined(__clang__) || defined(FURCA_CL))
#define FURCA_CL
#include <intrin.h>
#define FURCA_API
#define FURCA_NOINLINE __declspec(noinline)
#define FURCA_COLD FURCA_NOINLINE
#define FURCA_INLINE [[msvc::forceinline]]
#define FURCA_FRAME_ADDRESS() _AddressOfReturnAddress()
#else
#define FURCA_API [[gnu::visibility("default")]]
#define FURCA_NOINLINE [[gnu::noinline]]
#define FURCA_COLD [[gnu::noinline, gnu::cold]]
#define FURCA_INLINE __attribute__((always_inline))
#define FURCA_FRAME_ADDRESS() __builtin_frame_address(0)
#endif
#if defined(_MSC_VER)
#define FURCA_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define FURCA_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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
