// On which processor a thread runs, and that another one does not wake up on it.
#pragma once

#include <cstdint>
#include <optional>

namespace furca::detail {

/// A thread as the system numbers it.
using ThreadId = int;
ThreadId this_thread() noexcept;

/// The processor that the calling thread runs on at this moment; nothing where the system does not tell.
std::optional<std::uint32_t> current_processor() noexcept;

/// Takes `processor` out of the affinity mask of a thread, which thus goes on, or wakes up, on another one. False, and nothing has changed: it is not in the
/// mask, or there is no other, or the system does not allow it. Two system calls.
bool keep_away(ThreadId thread, std::uint32_t processor) noexcept;

/// Puts `processor` back into the calling thread's affinity mask.
void let_back(std::uint32_t processor) noexcept;

}  // namespace furca::detail
