// Stand-ins for StdAtomics (furca/detail/atomics.hpp): the machine as a test would have it.
#pragma once

#include "trials.hpp"

#include <furca/fence.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include <sched.h>
#include <time.h>

namespace furca::test {

/// A system without asymmetric fences.
struct ClassicAtomics : furca::detail::StdAtomics {
  static bool asymmetric() noexcept { return false; }
  static void heavy_fence() noexcept { fence(); }
};

using ClassicModeFence = furca::detail::BasicAdaptiveFence<ClassicAtomics>;

/// A std::atomic that tells Watch before and after each operation. After the last one *this may be gone, so Watch is all static.
template <class T, class Watch>
class WatchedAtomic {
 public:
  WatchedAtomic() = default;
  WatchedAtomic(T value) noexcept : plain_(value) {}  // NOLINT: as std::atomic's

  T load(std::memory_order order) const noexcept {
    return watched([&] { return plain_.load(order); });
  }
  void store(T value, std::memory_order order) noexcept {
    watched([&] { return plain_.store(value, order), true; });
  }
  T exchange(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.exchange(value, order); });
  }
  T fetch_add(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.fetch_add(value, order); });
  }
  T fetch_sub(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.fetch_sub(value, order); });
  }
  T fetch_or(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.fetch_or(value, order); });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure) noexcept {
    return watched([&] { return plain_.compare_exchange_strong(expected, desired, success, failure); });
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure) noexcept {
    if (Watch::fails_spuriously()) {
      expected = load(failure);
      return false;
    }
    return compare_exchange_strong(expected, desired, success, failure);
  }

  std::atomic<T>& plain() noexcept { return plain_; }

 private:
  template <class Operation>
  static auto watched(Operation operation) noexcept {
    Watch::before();
    const auto result = operation();
    Watch::after();
    return result;
  }

  std::atomic<T> plain_;
};

/// Yields, spins and naps at random around every operation: what a busy machine does, a thousand times as often.
class ChaosWatch {
 public:
  static void before() noexcept { stumble(); }
  static void after() noexcept { stumble(); }
  static bool fails_spuriously() noexcept { return random().below(8) == 0; }

  static void stumble() noexcept {
    const std::uint64_t dice = random().below(4096);
    if (dice == 0) {
      const timespec nap{0, static_cast<long>(1000 + random().below(100'000))};
      nanosleep(&nap, nullptr);
    } else if (dice < 128) {
      sched_yield();
    } else if (dice < 256) {
      for (std::uint64_t left = random().below(1000); left > 0; --left) std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }

  static Random& random() noexcept {
    static std::atomic<std::uint64_t> threads{0};
    thread_local Random mine(seed() + threads.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15U);
    return mine;
  }
};

template <class Base>
struct Chaos : Base {
  template <class T>
  using Atomic = WatchedAtomic<T, ChaosWatch>;

  static void fence() noexcept {
    ChaosWatch::stumble();
    Base::fence();
    ChaosWatch::stumble();
  }
  static void heavy_fence() noexcept {
    ChaosWatch::stumble();
    Base::heavy_fence();
    ChaosWatch::stumble();
  }
  static void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    ChaosWatch::stumble();
    if (ChaosWatch::fails_spuriously()) return;
    Base::wait(word.plain(), expected);
  }
  static void wake(Atomic<std::uint32_t>& word, int count) noexcept {
    ChaosWatch::stumble();
    Base::wake(word.plain(), count);
    ChaosWatch::stumble();
  }
};

/// One thread plays two: before the n-th step of what it does, `other` runs, whole.
class Stepper {
 public:
  static void interrupt_at(std::uint64_t step, std::function<void()> other) {
    left_ = step;
    other_ = std::move(other);
  }
  /// False if there were fewer steps than that. Either way nothing is interrupted any more.
  static bool interrupted() { return std::exchange(left_, 0) == 0; }

  static void before() noexcept {
    if (left_ == 0 || --left_ > 0) return;
    other_();
  }
  static void after() noexcept {}
  static bool fails_spuriously() noexcept { return false; }

 private:
  static inline std::uint64_t left_ = 0;  // 0: nothing to interrupt
  static inline std::function<void()> other_;
};

struct SteppedAtomics : furca::detail::StdAtomics {
  template <class T>
  using Atomic = WatchedAtomic<T, Stepper>;

  // The one thread sees its own writes in order.
  static void fence() noexcept { Stepper::before(); }
  static void heavy_fence() noexcept { Stepper::before(); }
  static bool asymmetric() noexcept { return true; }
};

}  // namespace furca::test
