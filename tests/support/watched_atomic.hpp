// A std::atomic whose every operation a test can come between.
#pragma once

#include <atomic>

namespace furca::test {

/// A std::atomic that tells Watch before and after each operation. After the last one *this may be
/// gone, so Watch is all static.
template <class T, class Watch>
class WatchedAtomic {
 public:
  constexpr WatchedAtomic() = default;
  constexpr WatchedAtomic(T value) noexcept : plain_(value) {}  // NOLINT: as std::atomic's

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
  T fetch_and(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.fetch_and(value, order); });
  }
  T fetch_or(T value, std::memory_order order) noexcept {
    return watched([&] { return plain_.fetch_or(value, order); });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) noexcept {
    return watched(
        [&] { return plain_.compare_exchange_strong(expected, desired, success, failure); });
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) noexcept {
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

}  // namespace furca::test
