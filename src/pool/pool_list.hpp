// All pools of the process, for debug_dump().
#pragma once

namespace furca::detail {

class Pool;

/// A pool is in the list from here to the end of the block.
class Listed {
 public:
  explicit Listed(const Pool& pool) noexcept;
  ~Listed();
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  friend void for_each_pool(void (*f)(const Pool& pool)) noexcept;

  const Pool& pool_;
  Listed* next_;
  Listed** to_this_;
};

/// Calls f(pool) for every pool; for none if the list is in use just now, perhaps by a thread
/// that a debugger has stopped.
void for_each_pool(void (*f)(const Pool& pool)) noexcept;

// Around fork(): a child must not find the list locked by a thread that it does not have.
void lock_pool_list() noexcept;
void unlock_pool_list() noexcept;
void unlock_pool_list_in_child() noexcept;

}  // namespace furca::detail
