// Linux membarrier(2).
#include "../process_fence.hpp"

#include "../environment.hpp"

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

}  // namespace

bool has_process_fence() noexcept { return register_process() && barrier(); }

/// The owners' side counts on it. To go on without would be to run some task twice.
void process_fence() noexcept {
  if (!barrier() && !(errno == EPERM && register_process() && barrier()))
    fail(
        "the system has stopped offering membarrier (a seccomp filter?); set "
        "FURCA_FENCE=classic");
}

}  // namespace furca::detail
