#include "roll_call.hpp"

#include <climits>

namespace furca::detail {

void RollCall::end(State state) noexcept {
  state_.store(state, std::memory_order_release);  // [roll_call.W3] pairs with W4
  if (start_hook_ || exit_hook_) Atomics::wake(state_, INT_MAX);
}

/// Waits until it is known. False: they will not be.
/// Checked by: tests/pool/thread_pool_test.cpp ("while a thread is in its start_hook the others are
/// woken")
bool RollCall::all_are_there() noexcept {
  std::uint32_t state = kCalling;
  // [roll_call.W4] pairs with W3
  while ((state = state_.load(std::memory_order_acquire)) == kCalling)
    Atomics::wait(state_, kCalling);
  return state == kComplete;
}

void RollCall::run_start_hook(std::size_t index) {
  if (!start_hook_) return;
  start_hook_(index);
  start_hooks_run_.fetch_add(1, std::memory_order_relaxed);
  Atomics::wake(start_hooks_run_, 1);
}

void RollCall::let_start_hooks_end(std::size_t threads) noexcept {
  if (!start_hook_ || state_.load(std::memory_order_relaxed) != kComplete) return;
  std::uint32_t run = 0;
  while ((run = start_hooks_run_.load(std::memory_order_relaxed)) < threads)
    Atomics::wait(start_hooks_run_, run);
}

}  // namespace furca::detail
