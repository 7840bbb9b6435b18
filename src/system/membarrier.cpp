// The asymmetric fence: Linux membarrier(2). Elsewhere, and with FURCA_FENCE=classic, an ordinary
// fence on both sides.
// Checked by: tests/pool/startup_test.cpp ("FURCA_FENCE chooses the fence"),
// tests/fork/sleep_stress_test.cpp
#include <furca/detail/base/atomics.hpp>

#include <furca/detail/measuring/clock.hpp>

#include "../measuring/costs.hpp"
#include "environment.hpp"
#include "shared_fence.hpp"

#if defined(__linux__) && !defined(FURCA_PORTABLE)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace furca::detail {

namespace {

bool register_process() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool barrier() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/// The system's own, in place of the shared one.
struct SystemFence : StdAtomics {
  static void heavy_fence() noexcept {
    const std::uint64_t began = detail::ticks();
    // The owners' side counts on it. To go on would be to run some task twice.
    if (!barrier() && !(errno == EPERM && register_process() && barrier()))
      fail(
          "the system has stopped offering membarrier (a seccomp filter?); set "
          "FURCA_FENCE=classic");
    measured_costs.heavy_fence_took(static_cast<float>(detail::ticks() - began));
  }
};

constinit BasicSharedFence<SystemFence> shared_fence;

bool offered_and_wanted() noexcept {
  const FenceChoice choice = fence_from_environment();
  if (choice == FenceChoice::classic) return false;
  const bool offered = register_process() && barrier();
  if (!offered && choice == FenceChoice::adaptive)
    warn("FURCA_FENCE=adaptive: the system offers no membarrier; using classic");
  return offered;
}

}  // namespace

void heavy_fence() noexcept {
  if (!asymmetric_fences()) {
    StdAtomics::fence();  // [fence.A2] [bell.B2] [sleep.S2] where both sides have it
    return;
  }
  shared_fence.pass();
}

}  // namespace furca::detail

#else

namespace furca::detail {

namespace {

bool offered_and_wanted() noexcept {
  if (fence_from_environment() == FenceChoice::adaptive)
    warn("FURCA_FENCE=adaptive: not on this system; using classic");
  return false;
}

}  // namespace

void heavy_fence() noexcept { StdAtomics::fence(); }  // [fence.A2] [bell.B2] [sleep.S2]

}  // namespace furca::detail

#endif

namespace furca::detail {

/// Found out once. Threads that come at the same time may all ask, and get the same answer; a
/// function-local static could be left half-made in a forked child, which would wait for it for
/// ever.
bool asymmetric_fences() noexcept {
  enum : int { unknown, no, yes };
  constinit static std::atomic<int> chosen{unknown};
  int choice = chosen.load(std::memory_order_relaxed);
  if (choice == unknown) {
    choice = offered_and_wanted() ? yes : no;
    chosen.store(choice, std::memory_order_relaxed);
  }
  return choice == yes;
}

}  // namespace furca::detail
