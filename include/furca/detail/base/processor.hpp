// The instructions that StdAtomics has of its processor: a fence and a pause.
#pragma once

#include <furca/detail/base/atomics.hpp>

namespace furca::detail {

inline void StdAtomics::fence() noexcept {
#if defined(__x86_64__) && !defined(FURCA_CL)
  // The instruction that g++ emits. clang's mfence is as strong and takes twice as long (8 ns and
  // 15 ns, measured).
  __asm__ __volatile__("lock; orl $0, (%%rsp)" ::: "memory", "cc");
#elif defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
// no ordering here rests on ThreadSanitizer seeing the fence
#pragma GCC diagnostic ignored "-Wtsan"
  std::atomic_thread_fence(std::memory_order_seq_cst);
#pragma GCC diagnostic pop
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

inline void StdAtomics::relax() noexcept {
#if defined(FURCA_CL)
  _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // yield is a no-op on most cores; isb takes about as long as x86's pause
  __asm__ __volatile__("isb" ::: "memory");
#endif
}

}  // namespace furca::detail
