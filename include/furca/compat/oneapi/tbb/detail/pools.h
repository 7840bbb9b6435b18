// Which pool of furca's the names of oneTBB run on: the global one, an arena's, or, while a global_control limits the threads, a smaller one.
#pragma once

#include "contexts.h"

#include <furca/detail/open_tasks.hpp>
#include <furca/detail/pool_door.hpp>
#include <furca/detail/spawning.hpp>
#include <furca/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// Threads for an arena, or for as many as a global_control allows.
class Threads {
 public:
  /// Throws what furca::ThreadPool throws.
  Threads(std::size_t threads, std::size_t stack_size) : pool_({.threads = threads, .name = "tbb", .stack_size = stack_size}) {
    pool_.install([this] { inside_ = &furca::detail::Worker::current().pool(); });
  }

  furca::detail::Pool& pool() const noexcept { return *inside_; }

 private:
  furca::ThreadPool pool_;
  furca::detail::Pool* inside_ = nullptr;
};

/// Spawns what runs an open task in `pool`. Throws std::bad_alloc, std::system_error; the task then is as before.
inline void post_open(furca::detail::Pool& pool, furca::detail::OpenTask& task) {
  const auto run = [&task]() noexcept { furca::detail::Worker::current().run_open(task); };
  furca::detail::Spawning<std::remove_const_t<decltype(run)>>::spawn(pool, run);
}

/// Spawns f in `pool`, where it runs in no context, whatever it runs on top of. Throws std::bad_alloc, std::system_error, and what copying f throws.
template <class F>
void post_work(furca::detail::Pool& pool, F&& f) {
  struct Posted {
    std::decay_t<F> f;
    void operator()() {
      const ContextScope no_context(nullptr);
      std::move(f)();
    }
  };
  furca::detail::Spawning<Posted>::spawn(pool, Posted{std::forward<F>(f)});
}

/// The calling thread is in a pool, from here to the end of the block. What it has spawned there in a task_group, and nobody has taken, is left to the pool's threads: it may be waited for later, from elsewhere.
class InPool {
 public:
  explicit InPool(furca::detail::Pool& pool) : visit_(pool), self_(furca::detail::Worker::current()), level_(self_.level()) {}
  InPool(const InPool&) = delete;
  InPool& operator=(const InPool&) = delete;

  ~InPool() {
    while (furca::detail::OpenTask* const task = self_.take_open_task(level_)) {
      try {
        post_open(self_.pool(), *task);
      } catch (const std::exception&) {
        self_.run_open(*task);
      }
    }
  }

 private:
  const furca::detail::Visit visit_;
  furca::detail::Worker& self_;
  const furca::detail::Worker::Index level_;
};

/// The pool of as many threads as the live global_controls allow; null: they allow all that the global pool has.
inline std::atomic<furca::detail::Pool*> allowed_pool = nullptr;

/// The calling thread is in no call of furca's.
inline bool at_top_level() noexcept {
  const furca::detail::Worker* const self = furca::detail::Worker::if_any();
  return self == nullptr || !self->takes_back();
}

/// Returns f(), which runs on no more threads than the live global_controls allow, if they have been there since the outermost call on this thread began. Every algorithm
/// begins with this: it costs one look at a word.
template <class F>
decltype(auto) in_allowed_pool(F&& f) {
  furca::detail::Pool* const pool = allowed_pool.load(std::memory_order_acquire);
  if (pool == nullptr || !at_top_level()) [[likely]] return std::forward<F>(f)();
  const InPool inside(*pool);
  return std::forward<F>(f)();
}

/// The pool that a call would run on here. Throws std::bad_alloc.
inline furca::detail::Pool& pool_here() {
  furca::detail::Pool* const pool = allowed_pool.load(std::memory_order_acquire);
  return pool != nullptr && at_top_level() ? *pool : furca::detail::Worker::current().pool();
}

/// How many threads a call would run on here. It starts none.
inline std::size_t threads_here() {
  furca::detail::Pool* const pool = allowed_pool.load(std::memory_order_acquire);
  return pool != nullptr && at_top_level() ? furca::detail::threads_of(*pool) : furca::num_threads();
}

}  // namespace tbb::detail
