// What a scope knows of its tasks: how many are not done, in which order they were spawned, and which exception comes first.
#pragma once

#include <furca/detail/worker.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace furca::detail {

/// Lives in the frame of the scope, until the last task is done.
///
/// a task                                       the scope's frame
///   [C1] pending - 1         acq_rel             [C2] pending == 0?    acquire
/// Every end of a task is in the release sequence of those before it, so who sees zero sees what all tasks did. A task is counted before it
/// can be stolen, and by somebody who is counted himself or is the body: zero after the body means that nobody will count more.
/// Checked by: tests/model/pool_programs.hpp ("scope: the last of two tasks wakes the scope's thread")
class ScopeState {
 public:
  using Order = std::uint32_t;
  static constexpr Order kBody = 0;  // the body comes before all tasks

  explicit ScopeState(Worker& owner) noexcept : owner_(owner) {}
  ScopeState(const ScopeState&) = delete;
  ScopeState& operator=(const ScopeState&) = delete;

  Worker& owner() const noexcept { return owner_; }

  /// One more task; its place in the order of spawning.
  Order spawned() noexcept { return static_cast<Order>(counts_.fetch_add(kSpawned + 1, std::memory_order_relaxed) >> 32U) + 1; }

  /// A task is done. After this, *this may be gone.
  void ended() noexcept {
    Worker& owner = owner_;
    if (pending(counts_.fetch_sub(1, std::memory_order_acq_rel)) == 1) owner.wake_from_scope();  // [C1] pairs with [C1] [C2]
  }

  bool done() const noexcept { return pending(counts_.load(std::memory_order_acquire)) == 0; }  // [C2] pairs with [C1]

  /// Something that comes before in order has thrown: a task of that order need not begin.
  bool skips(Order order) const noexcept { return order > failed_.load(std::memory_order_relaxed); }

  /// The body or a task threw `error`.
  FURCA_COLD void fail(Order order, std::exception_ptr error) noexcept {
    while (failing_.exchange(true, std::memory_order_acquire)) Atomics::yield();  // [X1] pairs with [X2]
    if (order < failed_.load(std::memory_order_relaxed)) {
      failed_.store(order, std::memory_order_relaxed);
      std::swap(error_, error);
    }
    failing_.exchange(false, std::memory_order_release);                          // [X2] pairs with [X1]
  }

  /// Once all is done: something has thrown.
  bool failed() const noexcept { return error_ != nullptr; }

  /// Throws the exception that comes first in order.
  [[noreturn]] void rethrow() { std::rethrow_exception(std::exchange(error_, nullptr)); }

 private:
  static constexpr std::uint64_t kSpawned = std::uint64_t{1} << 32U;
  static constexpr Order kNone = UINT32_MAX;
  static constexpr std::uint32_t pending(std::uint64_t counts) noexcept { return static_cast<std::uint32_t>(counts); }

  Worker& owner_;
  Atomics::Atomic<std::uint64_t> counts_{0};  // spawned << 32 | pending
  Atomics::Atomic<Order> failed_{kNone};      // the first in order that has thrown
  Atomics::Atomic<bool> failing_{false};      // guards error_
  std::exception_ptr error_;
};

}  // namespace furca::detail
