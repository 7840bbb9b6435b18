// Relaxed words whose accesses a test's machine sees (atomics.hpp): for FURCA_ATOMICS_HEADER alone.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <atomic>

namespace furca::detail {

template <class T, class Atomic>
class SeamWord {
 public:
  explicit SeamWord(T value) noexcept : value_(value) {}

  T read() const noexcept { return value_.load(std::memory_order_relaxed); }
  void write(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
  void add(T more) noexcept { value_.fetch_add(more, std::memory_order_relaxed); }
  void subtract(T less) noexcept { value_.fetch_sub(less, std::memory_order_relaxed); }
  bool replace(T& seen, T wanted) noexcept {
    return value_.compare_exchange_weak(seen, wanted, std::memory_order_relaxed,
                                        std::memory_order_relaxed);
  }

 private:
  Atomic value_;
};

template <class T>
using SeamRelaxed = SeamWord<T, Atomics::Atomic<T>>;
template <class T>
using SeamHint = SeamWord<T, Atomics::Hint<T>>;

}  // namespace furca::detail
