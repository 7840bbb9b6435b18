// Attributes of functions that have inner loops.
#pragma once

#include <furca/detail/base/config.hpp>

// One copy: neither inlined, nor cloned for some callers.
#if defined(FURCA_CL) || defined(__clang__)
#define FURCA_COMPILED_ONCE FURCA_NOINLINE
#else
#define FURCA_COMPILED_ONCE [[gnu::noinline, gnu::noclone]]
#endif

// A function of its own, since what stands around a loop can make its code worse; and g++ begins
// its loops on a cache line of 64 bytes, since one of six instructions takes up to twice as long
// across two. clang unrolls such loops, so that it does not matter.
// Rejected: #pragma GCC unroll 4: a body of a dozen calls became 2,057 bytes instead of 361.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define FURCA_INNER_LOOP [[gnu::noinline, gnu::optimize("align-loops=64")]]
#else
#define FURCA_INNER_LOOP FURCA_NOINLINE
#endif
