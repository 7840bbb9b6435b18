// A clock that costs about ten nanoseconds, for estimates of how long a few iterations took.
//
// Nothing depends on its truth but speed: a wrong reading makes a chunk too long or too short.
#pragma once

#include <furca/detail/base/config.hpp>

#if defined(FURCA_ATOMICS_HEADER)
#include <furca/detail/base/atomics.hpp>
#endif

namespace furca::detail {

/// std::chrono::steady_clock, for machines with no counter to read directly (clock.cpp).
FURCA_API std::uint64_t steady_ticks() noexcept;

/// The number of ticks() in a microsecond; measured once, at the first call, in about 20 us
/// (clock.cpp).
FURCA_API float ticks_per_microsecond() noexcept;

/// The processor's own constant-rate counter where there is one; nanoseconds of the steady clock
/// elsewhere. On a test's machine, that machine's (atomics.hpp).
inline std::uint64_t ticks() noexcept {
#if defined(FURCA_ATOMICS_HEADER)
  return Atomics::nanoseconds();
#elif defined(FURCA_CL)
  return __rdtsc();
#elif defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // as a builtin: its header has 40,000 lines
#elif defined(__aarch64__)
  std::uint64_t count;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return steady_ticks();
#endif
}

}  // namespace furca::detail
