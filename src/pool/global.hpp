// The global pool, and what the process does to it: exit, fork, the end of a thread.
#pragma once

#include <cstddef>

namespace furca::detail {

class Pool;

/// Held while the global pool starts, while a thread of the program's joins it or furca ends, while
/// limits change (thread_limit.cpp), and by a fork().
class GlobalLock {
 public:
  GlobalLock() noexcept;
  ~GlobalLock();
  GlobalLock(const GlobalLock&) = delete;
  GlobalLock& operator=(const GlobalLock&) = delete;
};

bool is_global_pool(const Pool& pool) noexcept;

/// The size that the global pool has, or would have if it were started now.
std::size_t global_pool_size() noexcept;

/// Null: it has not started.
Pool* global_pool_if_started() noexcept;

// thread_limit.cpp, under GlobalLock.

/// The least of a pool's limits that live; Limit::kNone: it has none. Null: the global pool.
std::size_t least_limit(const Pool* pool) noexcept;

/// In a forked child.
void forget_limits() noexcept;

}  // namespace furca::detail
