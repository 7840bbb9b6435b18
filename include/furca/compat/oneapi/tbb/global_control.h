// tbb::global_control: how many threads are used at the most, for as long as it lives.
#pragma once

#include "detail/exceptions.h"
#include "detail/pools.h"

#include <furca/spawn.hpp>
#include <furca/thread_limit.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace tbb {

struct attach {};

namespace detail {

/// How many task_scheduler_handles are attached. A number alone: nothing is read because of it.
FURCA_API inline constinit std::atomic<std::size_t> scheduler_handles{0};

/// The stack sizes that all live global_controls want. (Their limits furca keeps itself.)
class FURCA_API Controls {
 public:
  static Controls& all() {
    static Controls& controls = *new Controls;
    return controls;
  }

  /// Of an arena that wants so many threads.
  static std::size_t limit(std::size_t wanted) noexcept {
    return std::min(wanted, furca::detail::Limit::least(nullptr));
  }

  /// Of the global pool.
  static std::size_t limit() noexcept { return limit(furca::detail::threads_of_global_pool()); }

  void add_stack_size(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    stack_sizes_.insert(bytes);
  }

  void remove_stack_size(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    stack_sizes_.erase(stack_sizes_.find(bytes));
  }

  /// 0: the system's.
  std::size_t stack_size() {
    const std::lock_guard lock(mutex_);
    return stack_sizes_.empty() ? 0 : *stack_sizes_.rbegin();
  }

 private:
  std::mutex mutex_;
  std::multiset<std::size_t> stack_sizes_;
};

}  // namespace detail

/// As oneTBB's, for as long as it lives. max_allowed_parallelism: a limit of furca's own threads
/// (furca::ThreadLimit), from now on, and of the threads of arenas that are made afterwards. More
/// than furca's own number of threads has no effect. With several outside threads at once each
/// counts for itself.
/// thread_stack_size: for the threads of arenas that are made afterwards; furca's own keep theirs.
/// Thread-safety: any thread.
class global_control {
 public:
  enum parameter {
    max_allowed_parallelism,
    thread_stack_size,
    terminate_on_exception,
    scheduler_handle,
    parameter_max
  };

  /// Throws std::invalid_argument for no threads, and for parameters that furca does not have.
  global_control(parameter which, std::size_t value) : which_(which), value_(value) {
    switch (which) {
      case max_allowed_parallelism:
        if (value == 0)
          throw std::invalid_argument(
              "furca: global_control: max_allowed_parallelism is at least 1: the calling thread");
        limit_.emplace(nullptr, value);
        break;
      case thread_stack_size:
        detail::Controls::all().add_stack_size(value);
        break;
      case terminate_on_exception:
        if (value != 0)
          throw std::invalid_argument(
              "furca: global_control: terminate_on_exception is not supported: exceptions leave "
              "the call that waits");
        break;
      case scheduler_handle:
        break;
      case parameter_max:
        throw std::invalid_argument("furca: global_control: there is no such parameter");
    }
  }

  ~global_control() {
    if (which_ == thread_stack_size) detail::Controls::all().remove_stack_size(value_);
  }

  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  /// The value in force: the least of all numbers of threads, the largest of all stack sizes; 0
  /// bytes are the system's default.
  static std::size_t active_value(parameter which) {
    switch (which) {
      case max_allowed_parallelism:
        return detail::Controls::limit();
      case thread_stack_size:
        return detail::Controls::all().stack_size();
      default:
        return 0;
    }
  }

 private:
  const parameter which_;
  const std::size_t value_;
  std::optional<furca::detail::Limit> limit_;
};

/// Accepted: furca's threads sleep when there is nothing to do, and end with the program.
class task_scheduler_handle {
 public:
  task_scheduler_handle() = default;
  explicit(false) task_scheduler_handle(attach) noexcept : attached_(true) {
    detail::scheduler_handles.fetch_add(1, std::memory_order_relaxed);
  }
  task_scheduler_handle(task_scheduler_handle&& other) noexcept
      : attached_(std::exchange(other.attached_, false)) {}
  task_scheduler_handle& operator=(task_scheduler_handle&& other) noexcept {
    std::swap(attached_, other.attached_);
    return *this;
  }
  ~task_scheduler_handle() { release(); }

  explicit operator bool() const noexcept { return attached_; }
  void release() noexcept {
    if (std::exchange(attached_, false))
      detail::scheduler_handles.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  bool attached_ = false;
};

/// Returns when no enqueued task is left. The threads stay, asleep. False: there are other handles,
/// or the calling thread is in a task or loop, which it would wait for.
inline bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept {
  if (!handle) return true;
  handle.release();
  if (detail::scheduler_handles.load(std::memory_order_relaxed) > 0 || !detail::at_top_level())
    return false;
  try {
    furca::wait_idle();
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

/// The same; throws unsafe_wait instead.
inline void finalize(task_scheduler_handle& handle) {
  if (!finalize(handle, std::nothrow)) throw unsafe_wait();
}

}  // namespace tbb
