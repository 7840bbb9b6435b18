// Which pool of furca's the names of oneTBB run on: the global one, or an arena's.
#pragma once

#include "contexts.h"
#include "observers.h"

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/spawning.hpp>
#include <furca/detail/tbb/open_tasks.hpp>
#include <furca/thread_limit.hpp>
#include <furca/thread_pool.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// The calling thread is in no call of furca's.
inline bool at_top_level() noexcept {
  const furca::detail::Worker* const self = furca::detail::Worker::if_any();
  return self == nullptr || !self->has_open_frame();
}

/// Threads for an arena of `most`, and places for as many callers at a time. Whoever is inside
/// shares them. Only a thread that was in no call of furca's waits for a place, as others may wait
/// for what that call does: arenas whose callers call each other's would wait in a circle.
/// Checked by: tests/compat/tasks_test.cpp
/// ("arena: callers wait for those that found no place at first")
class Threads {
 public:
  /// All but those that are reserved for callers are started. Throws what furca::ThreadPool throws.
  static std::shared_ptr<Threads> start(std::size_t most, std::size_t reserved,
                                        std::size_t stack_size) {
    const std::size_t callers = std::clamp<std::size_t>(reserved, most > 1 ? 0 : 1, most);
    return {new Threads(most, callers, stack_size), &end};
  }

  furca::detail::Pool& pool() const noexcept { return *inside_; }

  class WaitsInPlace;

  /// The calling thread has a place, from here to the end of the block: it may wait for one.
  class Place {
   public:
    explicit Place(Threads& threads) : threads_(threads) {
      std::unique_lock lock(threads.mutex_);
      if (at_top_level()) threads.left_.wait(lock, [&threads] { return threads.places_ > 0; });
      --threads.places_;
      innermost_ = this;
    }
    ~Place() {
      innermost_ = around_;
      threads_.add_places(1);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    friend WaitsInPlace;

    FURCA_API static constinit inline thread_local Place* innermost_ = nullptr;

    Threads& threads_;
    Place* const around_ = innermost_;
  };

  /// The calling thread waits for others, from here to the end of the block: its places, here and
  /// further down its stack, are theirs meanwhile, as it may wait for just that. It goes on even if
  /// they are still there, since they may wait for it.
  class WaitsInPlace {
   public:
    WaitsInPlace() {
      for (Place* place = place_; place != nullptr; place = place->around_)
        place->threads_.add_places(1);
    }
    ~WaitsInPlace() {
      for (Place* place = place_; place != nullptr; place = place->around_)
        place->threads_.add_places(-1);
      Place::innermost_ = place_;
    }
    WaitsInPlace(const WaitsInPlace&) = delete;
    WaitsInPlace& operator=(const WaitsInPlace&) = delete;

   private:
    Place* const place_ = std::exchange(Place::innermost_, nullptr);
  };

 private:
  Threads(std::size_t most, std::size_t callers, std::size_t stack_size)
      : places_(static_cast<std::ptrdiff_t>(most)),
        pool_({.threads = most - callers + 1, .name = "tbb", .stack_size = stack_size}) {
    pool_.install([this] { inside_ = &furca::detail::Worker::current().pool(); });
    furca::detail::set_callers(pool(), callers);
  }

  void add_places(int number) {
    {
      const std::lock_guard lock(mutex_);
      places_ += number;
    }
    if (number > 0) left_.notify_one();
  }

  /// One of these threads cannot wait for its own end.
  static void end(Threads* threads) {
    if (furca::detail::is_inside(threads->pool())) {
      std::thread([threads] { delete threads; }).detach();
    } else {
      delete threads;
    }
  }

  std::mutex mutex_;
  std::condition_variable left_;
  std::ptrdiff_t places_;  // free ones; below zero if more are in
  furca::ThreadPool pool_;
  furca::detail::Pool* inside_ = nullptr;
};

/// Spawns what runs an open task in `pool`. Throws std::bad_alloc, std::system_error; the task then
/// is as before.
inline void post_open(furca::detail::Pool& pool, furca::detail::OpenTask& task) {
  const auto run = [&task]() noexcept {
    furca::detail::OpenTasks::run(furca::detail::Worker::current(), task);
  };
  furca::detail::Spawning<std::remove_const_t<decltype(run)>>::spawn(pool, run);
}

/// Spawns f in `pool`, where it runs in no context, whatever it runs on top of. Throws
/// std::bad_alloc, std::system_error, and what copying f throws.
template <class F>
void post_work(furca::detail::Pool& pool, F&& f) {
  struct Posted {
    std::decay_t<F> f;
    void operator()() {
      tell_observers();
      const ContextScope no_context(nullptr);
      std::move(f)();
    }
  };
  furca::detail::Spawning<Posted>::spawn(pool, Posted{std::forward<F>(f)});
}

/// The calling thread is in a pool, from here to the end of the block. What it has spawned there in
/// a task_group, and nobody has taken, is left to the pool's threads: it may be waited for later,
/// from elsewhere.
class InPool {
 public:
  /// `attached`: the pool was found as the one that calls run on anyway, rather than named.
  InPool(furca::detail::Pool& pool, bool attached)
      : visit_(told(pool)),
        self_(furca::detail::Worker::current()),
        level_(self_.deque().end()),
        named_(attached ? 0 : 1) {
    tell_observers();
  }
  InPool(const InPool&) = delete;
  InPool& operator=(const InPool&) = delete;

  ~InPool() {
    while (furca::detail::OpenTask* const task = furca::detail::OpenTasks::pop(self_, level_)) {
      try {
        post_open(self_.pool(), *task);
      } catch (const std::exception&) {
        furca::detail::OpenTasks::run(self_, *task);
      }
    }
    if (is_observed()) Observations::all().leave(self_.pool());
  }

  /// The calling thread is in a pool that was named.
  static bool is_named() noexcept { return named_open_ > 0; }

 private:
  FURCA_API static constinit inline thread_local int named_open_ = 0;

  /// Counts, also where an observer throws.
  struct Named {
    explicit Named(int calls) noexcept : count(calls) { named_open_ += count; }
    ~Named() { named_open_ -= count; }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;

    const int count;
  };

  /// It may be told as a worker of another pool, which it leaves for this one.
  static furca::detail::Pool& told(furca::detail::Pool& pool) {
    if (furca::detail::Worker::if_any() != nullptr) tell_observers();
    return pool;
  }

  const furca::detail::Visit visit_;
  furca::detail::Worker& self_;
  const furca::detail::Worker::Index level_;
  const Named named_;
};

/// A thread's number in its arena: the first caller's is 0, as in oneTBB as a rule. So while a
/// global_control allows n threads, they and one caller have the numbers below n; and so have they
/// and each caller of a loop outside of all arenas, which runs nothing of what others call.
inline int number_in_arena(const furca::detail::Worker& self) noexcept {
  const std::size_t index = self.index();
  if (furca::detail::callers_of(self.pool()) == 0) return static_cast<int>(index);
  const std::size_t first_caller = furca::detail::threads_of(self.pool()) - 1;
  if (index < first_caller) return static_cast<int>(index + 1);
  const bool is_alone = self.tasks_running == 0 && !InPool::is_named();
  return index == first_caller || is_alone ? 0 : static_cast<int>(index);
}

/// How many threads a call would run on here. It starts none.
inline std::size_t threads_here() {
  if (at_top_level()) return furca::ThreadLimit::in_force();
  return furca::detail::threads_and_callers(furca::detail::Worker::current().pool());
}

}  // namespace tbb::detail
