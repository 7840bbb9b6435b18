// tbb::task_group_context: what can be cancelled as a whole, and which of them the calling thread
// runs in.
#pragma once

#include "../version.h"
#include "context_state.h"

#include <furca/detail/base/config.hpp>

#include <cstdint>
#include <utility>

namespace tbb {

class task_group_context;

namespace detail {

FURCA_API inline constinit thread_local task_group_context* innermost_context = nullptr;

/// The innermost context that the calling thread runs in; null: it runs in none. Tasks and chunks
/// of loops say which with a ContextScope.
inline task_group_context* current_context() noexcept { return innermost_context; }

}  // namespace detail

/// As oneTBB's: tasks and loops that are run in it can be cancelled together. Floating-point
/// settings are not carried from thread to thread, whatever its traits say.
///
/// A bound context is cancelled with the one that its first loop or task was started in, as long as
/// that one exists. An isolated one is not.
/// Thread-safety: any thread may ask and cancel; reset() is for a time when nothing runs in it.
class task_group_context {
 public:
  enum traits_type : std::uintptr_t {
    fp_settings = 1U << 1U,
    concurrent_wait = 1U << 2U,
    default_traits = 0
  };
  enum kind_type { isolated, bound };

  /// Throws std::bad_alloc.
  explicit(false) task_group_context(kind_type relation_with_parent = bound,
                                     std::uintptr_t traits = default_traits)
      : traits_(traits & (fp_settings | concurrent_wait)) {
    if (relation_with_parent == isolated) state_.bind(nullptr);
  }

  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  ~task_group_context() {
    state_.end();
    detail::ContextState::let_go(&state_);
  }

  /// It is not cancelled any more, unless one above it is.
  void reset() noexcept { state_.reset(); }

  /// Nothing more begins in it and in those bound to it. False: it was cancelled already, or one
  /// above it was.
  bool cancel_group_execution() noexcept { return !state_.cancelled() && state_.cancel(); }

  /// Not oneTBB's: one above it was cancelled, and something in this one was left out: so it is
  /// cancelled until it is reset, whatever becomes of the one above.
  void remember_cancellation() noexcept { state_.stay_cancelled(); }

  /// Whether it, or one that it is bound to, was cancelled. Costs nanoseconds.
  bool is_group_execution_cancelled() const noexcept { return state_.cancelled(); }

  /// Accepted, and without effect.
  void capture_fp_settings() noexcept {}

  /// Those that the constructor was given.
  std::uintptr_t traits() const noexcept { return traits_; }

  /// Not oneTBB's: before something is run in it on this or on another thread, and on the thread
  /// that starts it.
  void bind() noexcept {
    if (task_group_context* const around = detail::current_context(); around != this)
      state_.bind(around != nullptr ? &around->state_ : nullptr);
  }

 private:
  const std::uintptr_t traits_;
  detail::ContextState& state_ = *new detail::ContextState;
};

namespace detail {

/// The calling thread runs in this context, from here to the end of the block. For each task and
/// for each chunk of a loop, since these may run anywhere; the loop itself calls context.bind()
/// before it begins. `context` may be null: it runs in none.
class ContextScope {
 public:
  explicit ContextScope(task_group_context* context) noexcept
      : before_(std::exchange(innermost_context, context)) {}
  explicit ContextScope(task_group_context& context) noexcept : ContextScope(&context) {}
  ~ContextScope() { innermost_context = before_; }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  task_group_context* const before_;
};

}  // namespace detail

/// The innermost context that the calling thread runs in was cancelled: a long body should return.
inline bool is_current_task_group_canceling() noexcept {
  const task_group_context* const context = detail::current_context();
  return context != nullptr && context->is_group_execution_cancelled();
}

}  // namespace tbb
