// No system call reaches other threads.
#include "../process_fence.hpp"

namespace furca::detail {

bool has_process_fence() noexcept { return false; }
void process_fence() noexcept {}

}  // namespace furca::detail
