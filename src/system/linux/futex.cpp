// Sleeping on a word: the futex system call.
#include <furca/detail/base/atomics.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) noexcept {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG,
                 value, nullptr, nullptr, 0);
}

}  // namespace

// Not a value any more, interrupted by a signal: every error is a reason to look again, which is
// what callers do.
void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  futex(word, FUTEX_WAIT, expected);
}

void StdAtomics::wake(Atomic<std::uint32_t>& word, int count) noexcept {
  futex(word, FUTEX_WAKE, static_cast<std::uint32_t>(count));
}

}  // namespace furca::detail
