// Sleeping on a word: WaitOnAddress.
#include <furca/detail/base/atomics.hpp>

#include "windows.hpp"

namespace furca::detail {

// Not a value any more, no memory: every error is a reason to look again, which is what callers do.
void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  WaitOnAddress(&word, &expected, sizeof expected, INFINITE);
}

void StdAtomics::wake(Atomic<std::uint32_t>& word, int count) noexcept {
  constexpr int kMany = 64;
  if (count >= kMany) return WakeByAddressAll(&word);
  for (; count > 0; --count) WakeByAddressSingle(&word);
}

}  // namespace furca::detail
