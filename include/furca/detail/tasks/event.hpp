// Something that comes about once, and one thread that waits for it: for what no worker of the pool
// answers for, as a coroutine's end.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/worker.hpp>

#include <atomic>

namespace furca::detail {

/// May lie in the frame of the waiter: the setter does not touch it any more when await() returns,
/// nor the pool and the worker that it finds in it.
///
/// who sets it                              who waits
///   [event.Z6] word = set        release     [event.Q5] pool = where it works meanwhile, and
///                                              sleeps; or
///                                            [event.Q6] listener = itself, whose bell it sleeps by
///   [event.Q7] fence                         [sleep.S2] heavy fence; at its bell [bell.B2], after
///                                              [bell.B1] listening
///   wakes whom it finds:                     [event.Z7] word: set?       acquire
///     pool? tell()                             no, and no mail? then it sleeps on its pool's
///                                              permits, or by its bell
///     listener? rings its bell               [event.Z9] not before this  acquire
///   [event.Z8] word = left       release
/// Either Z6 comes before S2 or B2, and Z7 finds it; or Q5 and Q6 come before Q7, and the setter
/// finds whom to wake. A bell that is rung between B1 and the sleep has another value then. Mail is
/// told of by the same bell ([mail.Q5], Team::ring_all). A thread that waits for nothing else
/// sleeps on the word itself.
/// Checked by: tests/model/programs/waiting_programs.hpp ("event: who waits with mail", "event: one
/// sets it, another one sends a letter", "event: who works for a pool")
class FURCA_API Event {
 public:
  // [event.Z7] pairs with Z6
  bool is_set() const noexcept { return word_.load(std::memory_order_acquire) >= kSet; }

  /// Once. After this, *this may be gone.
  void set() noexcept;

  /// One thread: works for `pool` meanwhile; null: just sleeps. The pool must be there until this
  /// has returned, unless is_set() is true already.
  void await(Pool* pool) noexcept;

  /// One thread, which `self` belongs to: answers that one's mail meanwhile, and else sleeps.
  void await_with_mail(Worker& self) noexcept;

 private:
  void await_asleep() noexcept;

  static constexpr std::uint32_t kSomebodySleeps = 1;
  static constexpr std::uint32_t kSet = 2;
  static constexpr std::uint32_t kLeft = 3;

  SeamRelaxed<Pool*> pool_{nullptr};
  SeamRelaxed<Worker*> listener_{nullptr};  // sleeps by its bell; told as a pool is
  Atomics::Atomic<std::uint32_t> word_{0};
};

}  // namespace furca::detail
