// A mutex that is there before any code runs. std::mutex is none where its library makes it by a
// call, as on Windows.
#pragma once

#include <furca/detail/base/atomics.hpp>

namespace furca::detail {

/// For std::lock_guard and std::unique_lock. Not recursive, not fair.
///
/// who has had it                              who gets it
///   [mutex.M1] state_ = free     release        [mutex.M2] state_ was free   acquire
/// Who sleeps has written `awaited` before, and does so again when woken: there may be more. So
/// whoever finds that word in M1 wakes one.
/// Ulrich Drepper, Futexes Are Tricky, 2011: mutex2.
/// Checked by: tests/model/programs/mutex_programs.hpp
template <class A>
class BasicMutex {
 public:
  constexpr BasicMutex() noexcept = default;
  BasicMutex(const BasicMutex&) = delete;
  BasicMutex& operator=(const BasicMutex&) = delete;

  bool try_lock() noexcept {
    std::uint32_t found = kFree;
    // [mutex.M2] pairs with M1
    return state_.compare_exchange_strong(found, kLocked, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }

  void lock() noexcept {
    if (try_lock()) return;
    // [mutex.M2] pairs with M1
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) A::wait(state_, kAwaited);
  }

  void unlock() noexcept {
    // [mutex.M1] pairs with M2
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) A::wake(state_, 1);
  }

  /// In a forked child, by the thread that has it: of those that waited none is there.
  void unlock_in_child() noexcept {
    // [mutex.M1] pairs with M2
    state_.store(kFree, std::memory_order_release);
  }

 private:
  enum : std::uint32_t { kFree, kLocked, kAwaited };

  typename A::template Atomic<std::uint32_t> state_{kFree};
};

using Mutex = BasicMutex<StdAtomics>;

}  // namespace furca::detail
