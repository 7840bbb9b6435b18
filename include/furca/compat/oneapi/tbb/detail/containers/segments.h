// Memory for elements 0, 1, 2 and so on that never moves while more is added.
#pragma once

#include "common.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace tbb::detail {

/// Segments of memory, each as long as all before it. They are found without a lock, and made by
/// the thread that needs the first element, or by any.
///
/// Checked by: tests/compat/containers_test.cpp ("vector: threads grow it together"), by
/// ThreadSanitizer
///
/// Invariant: a segment is null, then for good memory or kFailed, until a thread that is alone says
/// otherwise.
template <class T, class Allocator, unsigned kFirstBits>
class Segments {
 public:
  static constexpr std::size_t kFirst = std::size_t{1} << kFirstBits;  // elements of the first two
  static constexpr unsigned kNumber = sizeof(std::size_t) * 8 - kFirstBits;

  static unsigned of(std::size_t i) noexcept {
    return static_cast<unsigned>(std::bit_width(i | (kFirst - 1))) - kFirstBits;
  }
  static std::size_t base(unsigned k) noexcept { return k == 0 ? 0 : kFirst << (k - 1); }
  static std::size_t size(unsigned k) noexcept { return k == 0 ? kFirst : kFirst << (k - 1); }

  T* at(std::size_t i) const noexcept {
    const unsigned k = of(i);
    return pointer(k) + (i - base(k));
  }

  /// Null also for one that has failed.
  T* if_any(unsigned k) const noexcept {
    T* const memory = pointer(k);
    return memory == failed() ? nullptr : memory;
  }

  /// Of a segment that another thread makes: null if that has failed.
  T* outcome(unsigned k) const noexcept {
    T* memory = nullptr;
    for (Patience patience; (memory = pointer(k)) == nullptr;) patience.pause();
    return memory == failed() ? nullptr : memory;
  }

  /// The same, but throws std::bad_alloc if that has failed.
  T* wait_for(unsigned k) const {
    T* const memory = outcome(k);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  /// Makes a segment, if nobody has yet. `prepare(memory)` comes before others see it. Throws what
  /// the allocator throws: then the segment may be made later, unless somebody calls fail().
  template <class Prepare>
  T* make(unsigned k, Allocator allocator, Prepare prepare) {
    if (pointer(k) != nullptr) return wait_for(k);
    T* const memory = std::allocator_traits<Allocator>::allocate(allocator, size(k));
    prepare(memory);
    T* before = nullptr;
    // [segments.S1] pairs with S2: who finds it finds what was prepared
    if (segments_[k].compare_exchange_strong(before, memory, std::memory_order_release,
                                             std::memory_order_relaxed))
      return memory;
    std::allocator_traits<Allocator>::deallocate(allocator, memory, size(k));
    return wait_for(k);
  }

  /// Nobody will make it: for who has not made what others wait for.
  void fail(unsigned k) noexcept {
    T* before = nullptr;
    segments_[k].compare_exchange_strong(before, failed(), std::memory_order_relaxed);
  }

  /// For a thread that is alone: gives segments `from` and on back, and forgets those that failed.
  void free(unsigned from, Allocator allocator) noexcept {
    for (unsigned k = 0; k < kNumber; ++k) {
      T* const memory = segments_[k].load(std::memory_order_relaxed);
      if (memory == nullptr || (memory != failed() && k < from)) continue;
      segments_[k].store(nullptr, std::memory_order_relaxed);
      if (memory != failed())
        std::allocator_traits<Allocator>::deallocate(allocator, memory, size(k));
    }
  }

  void swap(Segments& other) noexcept {
    for (unsigned k = 0; k < kNumber; ++k) swap_alone(segments_[k], other.segments_[k]);
  }

 private:
  static T* failed() noexcept { return reinterpret_cast<T*>(std::uintptr_t{1}); }
  T* pointer(unsigned k) const noexcept {
    return segments_[k].load(std::memory_order_acquire);  // [segments.S2]
  }

  std::atomic<T*> segments_[kNumber]{};
};

}  // namespace tbb::detail
