// One word: whether a job is done, and which worker runs it.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <cassert>
#include <cstdint>

namespace furca::detail {

class Worker;

/// Part of a job in its forker's frame, or of a task with a handle. open -> claimed by a worker ->
/// set; a job that is not stolen leaves it open.
///
/// thief                                  forker, waiting
///   [latch.L1] word = claimer      release   [latch.L3] word             acquire
///   [latch.L2] word = set        release   after "set" it may return, and the frame with the latch
///                                          is gone
///
/// Only the thief writes after the job was published, so plain stores do. No thread sleeps on a
/// latch: the waiter listens to the bell of the worker that stole the job (bell.hpp), whose storage
/// is the pool's. So after L2 there is nothing to touch.
/// Checked by: tests/model/programs/latch_programs.hpp ("the frame is gone once it is set", "the
/// claimer is known with all that it made")
template <class A>
class BasicLatch {
 public:
  /// Thief, before it runs the job: names the worker that has it.
  void claim(const Worker& claimer) noexcept {
    assert(word_.load(std::memory_order_relaxed) == kOpen);
    // [latch.L1] pairs with L3
    word_.store(reinterpret_cast<std::uintptr_t>(&claimer), std::memory_order_release);
  }

  /// Thief: the job is done and its outcome written. After this, *this may be gone.
  void set() noexcept {
    assert(word_.load(std::memory_order_relaxed) > kSet);
    word_.store(kSet, std::memory_order_release);  // [latch.L2] pairs with L3
  }

  // [latch.L3] pairs with L2
  bool is_set() const noexcept { return word_.load(std::memory_order_acquire) == kSet; }

  /// The worker that runs the job; null until L1, a moment after the steal, and once it is done.
  Worker* claimer() const noexcept {
    const std::uintptr_t word = word_.load(std::memory_order_acquire);  // [latch.L3] pairs with L1
    return word == kSet ? nullptr : reinterpret_cast<Worker*>(word);
  }

 private:
  static constexpr std::uintptr_t kOpen = 0;
  static constexpr std::uintptr_t kSet = 1;  // no worker lies there: they are aligned

  typename A::template Atomic<std::uintptr_t> word_{kOpen};
};

using Latch = BasicLatch<Atomics>;

}  // namespace furca::detail
