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
// its loops on a cache line, since one of six instructions takes up to twice as long across two.
// FURCA_UNROLLED_LOOP: nothing but a short loop, which g++ unrolls, as clang does by itself: two
// threads take 0.7 to 0.95 of the time for 10^5 doubles. Rejected: #pragma GCC unroll 4, by which a
// body of a dozen calls has 2,057 bytes for 361; as a function's option 433 for 209.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define FURCA_INNER_LOOP [[gnu::noinline, gnu::optimize("align-loops=64")]]
#define FURCA_UNROLLED_LOOP [[gnu::noinline, gnu::optimize("align-loops=64", "unroll-loops")]]
#else
#define FURCA_INNER_LOOP FURCA_NOINLINE
#define FURCA_UNROLLED_LOOP FURCA_NOINLINE
#endif
