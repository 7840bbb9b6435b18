// The hooks of a pool's started threads: none of them runs before it is known that all threads are
// there.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace furca::detail {

/// A start_hook may call furca, and wait for other threads of the pool. So it runs when it is known
/// that all are there, and the pool stops when all have run it.
///
/// Invariants:
/// - the state changes once, from kCalling; no hook runs before it is kComplete, and none at all
///   if it is kFailed;
/// - start_hooks_run is at most the number of started threads, the task thread of a pool of one
///   among them. It hands over nothing: what a hook waits for it gets from threads that go on as
///   before until then.
/// Checked by: tests/pool/thread_pool_test.cpp ("a start_hook may use all threads of its pool")
class RollCall {
 public:
  using Hook = std::function<void(std::size_t)>;

  RollCall(const Hook& start_hook, const Hook& exit_hook)
      : start_hook_(start_hook), exit_hook_(exit_hook) {}
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  enum State : std::uint32_t { kCalling, kComplete, kFailed };

  /// Who starts the threads.
  void end(State state) noexcept;

  /// A started thread, before all else. False: the pool will not be, and the thread is to end.
  bool is_complete() noexcept { return (!start_hook_ && !exit_hook_) || all_are_there(); }

  /// A started thread: runs its hook, if there is one.
  void run_start_hook(std::size_t index);
  void run_exit_hook(std::size_t index) {
    if (exit_hook_) exit_hook_(index);
  }

  /// Who stops the pool of so many threads: returns when all of them have run their start_hook.
  void let_start_hooks_end(std::size_t threads) noexcept;

 private:
  bool all_are_there() noexcept;

  const Hook start_hook_;
  const Hook exit_hook_;
  Atomics::Atomic<std::uint32_t> state_{kCalling};
  Atomics::Atomic<std::uint32_t> start_hooks_run_{0};
};

}  // namespace furca::detail
