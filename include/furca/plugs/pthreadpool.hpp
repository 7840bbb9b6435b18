// pthreadpool, by which XNNPACK computes, on furca's threads. It needs neither: these functions
// have the types that they ask for.
#pragma once

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/plugs/pool.hpp>
#include <furca/spawn.hpp>

namespace furca::plugs {

/// For pthreadpool since 2025, and by the same two functions XNNPACK's xnn_scheduler:
///
///   pthreadpool_executor furca_executor{furca::plugs::borrowed_threads, furca::plugs::borrow};
///   pthreadpool_t threads = pthreadpool_create_v2(&furca_executor, pool, 0);
///
/// `pool` is a furca::ThreadPool*, or null for the global pool. (Not for the caller's: how many
/// threads there are is asked once.)
/// How many it may borrow: all but the caller. In a pool of one that is none.
inline int borrowed_threads(void* pool) noexcept {
  return pool != nullptr ? threads_of(static_cast<ThreadPool*>(pool)) - 1
                         : static_cast<int>(detail::threads_of_global_pool()) - 1;
}

/// Lends a thread: a spawned task, for as long as a call lasts. A call does not need it, so it may
/// be made in furca's loops and tasks. pthreadpool_destroy waits for all that were asked for: call
/// it outside of those, before main returns and before the pool ends. Ends the program if there is
/// no memory for the task.
inline void borrow(void* pool, void* data, void (*task)(void*)) noexcept {
  const auto lent = [=] { task(data); };
  if (pool != nullptr)
    static_cast<ThreadPool*>(pool)->spawn(lent);
  else
    detail::Spawning<std::remove_const_t<decltype(lent)>>::spawn(detail::started_global_pool(),
                                                                 lent);
}

}  // namespace furca::plugs
