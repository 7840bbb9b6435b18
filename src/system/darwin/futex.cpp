// Sleeping on a word: os_sync_wait_on_address, which macOS 14.4 has. Not run yet.
#include <furca/detail/base/atomics.hpp>

#include <os/os_sync_wait_on_address.h>

namespace furca::detail {

// Not a value any more, interrupted by a signal: every error is a reason to look again, which is
// what callers do.
void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  os_sync_wait_on_address(&word, expected, sizeof expected, OS_SYNC_WAIT_ON_ADDRESS_NONE);
}

void StdAtomics::wake(Atomic<std::uint32_t>& word, int count) noexcept {
  constexpr int kMany = 64;
  if (count >= kMany) {
    os_sync_wake_by_address_all(&word, sizeof word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    return;
  }
  for (; count > 0; --count)
    os_sync_wake_by_address_any(&word, sizeof word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
}

}  // namespace furca::detail
