// The system call that is a fence for all threads of the process at once.
#pragma once

namespace furca::detail {

/// It is there, and is known to reach the other threads.
bool has_process_fence() noexcept;

/// A sequentially consistent fence at some point in the program of each running thread. Only where
/// it is there. Aborts with a message if the system does not do it any more.
void process_fence() noexcept;

}  // namespace furca::detail
