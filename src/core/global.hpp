// The global pool, and what the process does to it: exit, fork, the end of a thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// How many forks lie between the first process and this one. A pool remembers the value at its birth.
std::uint64_t fork_generation() noexcept;

class Pool;

bool is_global_pool(const Pool& pool) noexcept;

/// The size that the global pool has, or would have if it were started now.
std::size_t global_pool_size() noexcept;

}  // namespace furca::detail
