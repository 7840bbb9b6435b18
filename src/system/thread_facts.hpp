// What a system is told of a running thread: its name, and that others wait for it; and the stack
// that one should have.
#pragma once

#include <cstddef>
#include <string>

namespace furca::detail {

/// The calling thread, a pool's, has this name in what the system shows of threads, where it shows
/// names; and runs as urgently as what a user waits for, where the system asks.
void introduce_thread(const std::string& name) noexcept;

/// Bytes of stack for a thread that asks for none, where the system gives it fewer; 0: as the
/// system has it.
std::size_t least_stack_size() noexcept;

}  // namespace furca::detail
