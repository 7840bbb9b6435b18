// The asymmetric fence: the system's fence for all threads. Where there is none, and with
// FURCA_FENCE=classic, an ordinary fence on both sides.
// Checked by: tests/pool/startup_test.cpp ("FURCA_FENCE chooses the fence"),
// tests/fork/sleep_stress_test.cpp
#include <furca/detail/base/atomics.hpp>

#include "../measuring/clock.hpp"
#include "../measuring/costs.hpp"
#include "environment.hpp"
#include "process_fence.hpp"

namespace furca::detail {

// as the futexes of all systems need it
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

void StdAtomics::heavy_fence() noexcept {
  if (!asymmetric()) {
    fence();  // [fence.A2] [bell.B2] [sleep.S2] where both sides have it
    return;
  }
  const std::uint64_t began = detail::ticks();
  process_fence();  // [fence.A2] [bell.B2] [sleep.S2]
  measured_costs.heavy_fence_took(static_cast<float>(detail::ticks() - began));
}

/// Found out once. Threads that come at the same time may all ask, and get the same answer; the
/// first warns. A function-local static could be left half-made in a forked child, which would wait
/// for it for ever.
bool StdAtomics::asymmetric() noexcept {
  enum : int { unknown, no, yes };
  constinit static std::atomic<int> chosen{unknown};
  int choice = chosen.load(std::memory_order_relaxed);
  if (choice == unknown) {
    const FenceChoice wanted = fence_from_environment();
    choice = wanted != FenceChoice::classic && has_process_fence() ? yes : no;
    const bool first = chosen.exchange(choice, std::memory_order_relaxed) == unknown;
    if (first && choice == no && wanted == FenceChoice::adaptive)
      warn("FURCA_FENCE=adaptive: the system offers no fence for all threads; using classic");
  }
  return choice == yes;
}

}  // namespace furca::detail
