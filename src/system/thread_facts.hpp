// What a system is told of a running thread: its name, and that others wait for it.
#pragma once

#include <string>

namespace furca::detail {

/// The calling thread, a pool's, has this name in what the system shows of threads, where it shows
/// names; and runs as urgently as what a user waits for, where the system asks.
void introduce_thread(const std::string& name) noexcept;

}  // namespace furca::detail
