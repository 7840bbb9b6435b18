// A heavy fence that several threads share: whoever needs one while another is under way waits for
// the next, as do all who come meanwhile.
#pragma once

#include <furca/detail/base/config.hpp>

#include <atomic>
#include <cstdint>

namespace furca::detail {

/// The system runs one heavy fence at a time, and each interrupts all running threads. So of many
/// threads that need one at once, as when all fall asleep, most share two. As Linux's expedited
/// grace periods do (kernel/rcu/tree_exp.h, Documentation/RCU).
///
/// who needs one                                     who runs it
///   [shared_fence.G1] fence                           [shared_fence.G4] begun: k -> k + 1  relaxed
///   [shared_fence.G2] wanted = begun + 1     relaxed  [shared_fence.G5] heavy fence
///   [shared_fence.G3] ended >= wanted?       acquire  [shared_fence.G6] ended = k + 1      release
/// A fence whose number is `wanted` was begun after G2, since G4 comes later in the order of that
/// word; so it orders what came before G1 for all threads: G1 comes before G5. Their work
/// until then is seen after G3.
/// Nobody waits for long: who is not served within a while runs a fence of his own. That also puts
/// right what a fork() has left behind in its child, where the thread that ran the last one does
/// not exist.
/// Checked by: tests/model/programs/shared_fence_programs.hpp
template <class A, int Rounds = 2'048>
class BasicSharedFence {
 public:
  /// A::heavy_fence(), or another thread's that began after the call.
  void pass() noexcept {
    // [shared_fence.G1] pairs with G5
    A::fence();
    // [shared_fence.G2] pairs with G4
    const std::uint64_t wanted = begun_.load(std::memory_order_relaxed) + 1;
    for (int round = 0;; ++round) {
      // [shared_fence.G3] pairs with G6
      const std::uint64_t ended = ended_.load(std::memory_order_acquire);
      if (ended >= wanted) return;
      std::uint64_t begun = begun_.load(std::memory_order_relaxed);
      // [shared_fence.G4]
      if (begun == ended &&
          begun_.compare_exchange_strong(begun, begun + 1, std::memory_order_relaxed,
                                         std::memory_order_relaxed))
        return run(begun + 1);
      // it begins after that one, and serves whoever waits for it
      if (round == Rounds) return run(begun);
      round % 64 == 63 ? A::yield() : A::relax();
    }
  }

 private:
  void run(std::uint64_t number) noexcept {
    // [shared_fence.G5] pairs with G1
    A::heavy_fence();
    std::uint64_t ended = ended_.load(std::memory_order_relaxed);
    // [shared_fence.G6] pairs with G3
    while (ended < number && !ended_.compare_exchange_weak(ended, number, std::memory_order_release,
                                                           std::memory_order_relaxed)) {
    }
  }

  alignas(kCacheLine) typename A::template Atomic<std::uint64_t> begun_{0};
  // at most begun_: so many have ended, or had others end after them
  typename A::template Atomic<std::uint64_t> ended_{0};
};

}  // namespace furca::detail
