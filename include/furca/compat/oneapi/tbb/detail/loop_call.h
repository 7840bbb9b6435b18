// One call of a tbb loop: the context that it runs in, and what ends it early.
#pragma once

#include "contexts.h"
#include "observers.h"

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/results.hpp>

#include <atomic>
#include <cstdint>

namespace tbb::detail {

/// In the frame of the caller. A chunk begins unless the context was cancelled or, in a loop that
/// is divided by joins, another chunk has thrown.
class LoopCall {
 public:
  /// In the context that was given, or else in the one that the caller runs in, if any.
  explicit LoopCall(task_group_context* given) noexcept
      : given_(given), context_(given != nullptr ? given : current_context()) {
    if (given != nullptr) given->bind();
  }

  LoopCall(const LoopCall&) = delete;
  LoopCall& operator=(const LoopCall&) = delete;

  bool cancelled() const noexcept {
    return context_ != nullptr && context_->is_group_execution_cancelled();
  }

  bool may_be_cancelled() const noexcept { return context_ != nullptr; }

  /// Runs a chunk, on any thread.
  template <class F>
  void chunk(F f) const {
    tell_observers();
    if (context_ == nullptr) return f();
    const ContextScope inside(context_);
    f();
  }

  /// The same in a loop of furca's: a chunk that begins at step `lo`.
  template <class F>
  void chunk(std::uint64_t lo, furca::detail::LoopEnd& end, F f) const {
    if (cancelled()) return end.lower_to(lo);
    try {
      chunk(f);
    } catch (...) {
      end.lower_to(lo);
      threw();
      throw;
    }
  }

  /// In one that is divided by joins.
  bool stopped() const noexcept { return thrown_.load(std::memory_order_relaxed) || cancelled(); }

  template <class F>
  void joined_chunk(F f) const {
    try {
      chunk(f);
    } catch (...) {
      thrown_.store(true, std::memory_order_relaxed);
      threw();
      throw;
    }
  }

 private:
  /// As in oneTBB, a context whose loop has thrown is cancelled until it is reset.
  void threw() const noexcept {
    if (given_ != nullptr) given_->cancel_group_execution();
  }

  task_group_context* const given_;
  task_group_context* const context_;
  mutable std::atomic<bool> thrown_{false};
};

}  // namespace tbb::detail
