// The one seam between the protocols (deque, fence, latch, sleep) and the machine.
//
// Every protocol header takes its atomics, fences, futex calls and clock from a template parameter
// with the members of StdAtomics, so a test runs the very headers that ship on its own machine: as
// that parameter, or, with FURCA_ATOMICS_HEADER, in the place of Atomics for the whole library.
#pragma once

#include <furca/detail/base/config.hpp>

#include <atomic>

namespace furca::detail {

struct FenceTuning;

/// What is not inline asks the operating system, and is defined in src/system: fence.cpp, futex.cpp
/// and process.cpp.
struct FURCA_API StdAtomics {
  template <class T>
  using Atomic = std::atomic<T>;

  /// Of a hint, which may be wrong: the model checker leaves it out.
  template <class T>
  using Hint = std::atomic<T>;

  /// Orders only the compiler; a full fence, if heavy_fence() is on the other side: see sleep.md.
  static void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// A sequentially consistent fence.
  static inline void fence() noexcept;  // processor.hpp

  /// True if heavy_fence() reaches the other threads, so that light_fence() suffices on their side.
  /// One answer per process.
  static bool asymmetric() noexcept;

  /// A sequentially consistent fence on behalf of every running thread of the process where
  /// asymmetric() is true; of the calling thread alone where it is not. Takes microseconds.
  static void heavy_fence() noexcept;

  /// Sleeps while `word` holds `expected`; may return for no reason. Orders nothing.
  static void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

  /// Wakes up to `count` threads that sleep on `word`.
  static void wake(Atomic<std::uint32_t>& word, int count) noexcept;

  /// Nanoseconds of a monotonic clock (clock.cpp).
  static std::uint64_t nanoseconds() noexcept;

  static FenceTuning fence_tuning() noexcept;  // costs.cpp

  /// Looks for work before a thread yields and before it sleeps (backoff.hpp). 0: as costs say.
  static constexpr int kSpins = 0;
  static constexpr int kYields = 0;

  /// A loop with so many portions has groups of them, and one with fewer is one group (places.hpp).
  static constexpr unsigned kPortionsForGroups = 16;

  static inline void relax() noexcept;  // processor.hpp
  static void yield() noexcept;
};

#if !defined(FURCA_ATOMICS_HEADER)
using Atomics = StdAtomics;
#endif

}  // namespace furca::detail

#if defined(FURCA_ATOMICS_HEADER)
#include FURCA_ATOMICS_HEADER  // a test's: Atomics, SeamRelaxed and SeamHint, of furca::detail
#endif
