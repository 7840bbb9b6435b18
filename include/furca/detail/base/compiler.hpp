// What g++ and clang, and cl.exe, have words of their own for: attributes.
//
// No cl.exe has seen its words yet: tests/cross/run.sh has clang compile them in its place, in the
// mode that is called cl, with FURCA_CL.
//
// FURCA_API: the few symbols that a shared libfurca exports; everything else is built hidden.
// cl.exe builds no shared one: it exports no thread_local variables.
// FURCA_NOINLINE: a function that is not inlined.
// FURCA_COLD: what the fast path calls almost never, neither inlined nor laid out beside it.
// FURCA_INLINE: what a fork consists of: clang's inliner tires of joins of many arms.
// FURCA_COMPILED_ONCE: a function of which there is one copy: not inlined, nor cloned for some
// callers.
// FURCA_INNER_LOOP: a function that has an inner loop: its own, since what stands around a loop can
// make its code worse; and g++ begins its loops on a cache line of 64 bytes, since one of six
// instructions takes up to twice as long across two. clang unrolls such loops, so that it does not
// matter.
// Rejected: #pragma GCC unroll 4: a body of a dozen calls became 2,057 bytes instead of 361.
// FURCA_FRAME_ADDRESS(): the address of the calling function's frame on its thread's stack.
// FURCA_NO_UNIQUE_ADDRESS: a member that takes no room where it is empty. cl.exe, and clang for its
// libraries, ignore the standard's word.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define FURCA_CL
#endif

#if defined(FURCA_CL)
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

#if defined(FURCA_CL) || defined(__clang__)
#define FURCA_COMPILED_ONCE FURCA_NOINLINE
#else
#define FURCA_COMPILED_ONCE [[gnu::noinline, gnu::noclone]]
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define FURCA_INNER_LOOP [[gnu::noinline, gnu::optimize("align-loops=64")]]
#else
#define FURCA_INNER_LOOP FURCA_NOINLINE
#endif

#if defined(_MSC_VER)
#define FURCA_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define FURCA_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif
