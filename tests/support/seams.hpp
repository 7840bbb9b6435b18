// Stand-ins for StdAtomics (furca/detail/base/atomics.hpp): the machine as a test would have it.
#pragma once

#include "chaos.hpp"
#include "standard.hpp"
#include "watched_atomic.hpp"

#include <furca/fence.hpp>

namespace furca::test {

/// A system without asymmetric fences.
struct ClassicAtomics : furca::detail::StdAtomics {
  static bool asymmetric() noexcept { return false; }
  static void heavy_fence() noexcept { fence(); }
};

using ClassicModeFence = furca::detail::BasicAdaptiveFence<ClassicAtomics>;

/// One thread plays two: before the n-th step of what it does, `other` runs, whole.
class Stepper {
 public:
  static void interrupt_at(std::uint64_t step, std::function<void()> other) {
    left_ = step;
    other_ = std::move(other);
  }
  /// False if there were fewer steps than that. Either way nothing is interrupted any more.
  static bool interrupted() { return std::exchange(left_, 0) == 0; }

  static void before() noexcept {
    if (left_ == 0 || --left_ > 0) return;
    other_();
  }
  static void after() noexcept {}
  static bool fails_spuriously() noexcept { return false; }

 private:
  static inline std::uint64_t left_ = 0;  // 0: nothing to interrupt
  static inline std::function<void()> other_;
};

struct SteppedAtomics : furca::detail::StdAtomics {
  template <class T>
  using Atomic = WatchedAtomic<T, Stepper>;

  // The one thread sees its own writes in order.
  static void fence() noexcept { Stepper::before(); }
  static void heavy_fence() noexcept { Stepper::before(); }
  static bool asymmetric() noexcept { return true; }
};

}  // namespace furca::test
