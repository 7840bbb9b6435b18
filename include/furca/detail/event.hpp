// Something that comes about once, and one thread that waits for it: for what no worker of the pool answers for, as a coroutine's end.
#pragma once

#include <furca/detail/worker.hpp>

#include <atomic>
#include <cstdint>

namespace furca::detail {

/// May lie in the frame of the waiter: the setter does not touch it any more when await() returns.
///
/// who sets it                              who waits
///   [Z6] word = set        release           [Q6] pool = where it works meanwhile, and sleeps
///   [Q7] fence                               [S2] heavy fence
///   wakes whom it finds: pool? tell()        [Z7] word: set?       acquire
///   [Z8] word = left       release           [Z9] not before this  acquire
/// Checked by: tests/model/pool_programs.hpp ("tasks: a coroutine goes to the pool and back")
class FURCA_API Event {
 public:
  bool is_set() const noexcept { return word_.load(std::memory_order_acquire) >= kSet; }  // [Z7] pairs with [Z6]

  /// Once. After this, *this may be gone.
  void set() noexcept;

  /// One thread: works for `pool` meanwhile; null: just sleeps. The pool must be there until this has returned, unless is_set() is true already.
  void await(Pool* pool) noexcept;

  /// One thread, which `self` belongs to: answers that one's mail meanwhile, and else sleeps.
  void await_with_mail(Worker& self) noexcept;

 private:
  void await_asleep() noexcept;

  static constexpr std::uint32_t kSomebodySleeps = 1;
  static constexpr std::uint32_t kSet = 2;
  static constexpr std::uint32_t kLeft = 3;

  Atomics::Atomic<Pool*> pool_{nullptr};
  Atomics::Atomic<Worker*> listener_{nullptr};  // sleeps by its bell; told as a pool is
  Atomics::Atomic<std::uint32_t> word_{0};
};

}  // namespace furca::detail
