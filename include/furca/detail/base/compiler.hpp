// What g++ and clang, and cl.exe, have words of their own for: attributes, and instructions.
//
// No cl.exe has seen its words yet: tests/cross/run.sh has clang compile them in its place, in the
// mode that is called cl, with FURCA_CL.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define FURCA_CL
#endif

#include <cstdint>

#if defined(FURCA_CL)
#include <intrin.h>
#endif

/// Marks the few symbols that a shared libfurca exports; everything else is built hidden. cl.exe
/// builds no shared one: it exports no thread_local variables.
#if defined(FURCA_CL)
#define FURCA_API
#else
#define FURCA_API [[gnu::visibility("default")]]
#endif

/// Marks a function that is not inlined.
#if defined(FURCA_CL)
#define FURCA_NOINLINE __declspec(noinline)
#else
#define FURCA_NOINLINE [[gnu::noinline]]
#endif

/// Marks what the fast path calls almost never, so that it is neither inlined nor laid out beside
/// it.
#if defined(FURCA_CL)
#define FURCA_COLD FURCA_NOINLINE
#else
#define FURCA_COLD [[gnu::noinline, gnu::cold]]
#endif

/// Marks what a fork consists of: clang's inliner tires of joins of many arms.
#if defined(FURCA_CL)
#define FURCA_INLINE [[msvc::forceinline]]
#else
#define FURCA_INLINE __attribute__((always_inline))
#endif

/// Marks a function of which there is one copy: not inlined, nor cloned for some callers.
#if defined(FURCA_CL) || defined(__clang__)
#define FURCA_COMPILED_ONCE FURCA_NOINLINE
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
#define FURCA_INNER_LOOP FURCA_NOINLINE
#endif

/// Marks a member that takes no room where it is empty. cl.exe, and clang for its libraries, ignore
/// the standard's word.
#if defined(_MSC_VER)
#define FURCA_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define FURCA_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

/// The address of the calling function's frame on its thread's stack.
#if defined(FURCA_CL)
#define FURCA_FRAME_ADDRESS() _AddressOfReturnAddress()
#else
#define FURCA_FRAME_ADDRESS() __builtin_frame_address(0)
#endif

namespace furca::detail {

/// Memory that is read soon.
inline void prefetch(const void* at) noexcept {
#if defined(FURCA_CL)
  _mm_prefetch(static_cast<const char*>(at), _MM_HINT_T0);
#else
  __builtin_prefetch(at);
#endif
}

/// The same bytes, the last one first.
inline std::uint32_t swap_bytes(std::uint32_t number) noexcept {
#if defined(FURCA_CL)
  return _byteswap_ulong(number);
#else
  return __builtin_bswap32(number);
#endif
}
inline std::uint64_t swap_bytes(std::uint64_t number) noexcept {
#if defined(FURCA_CL)
  return _byteswap_uint64(number);
#else
  return __builtin_bswap64(number);
#endif
}

}  // namespace furca::detail
