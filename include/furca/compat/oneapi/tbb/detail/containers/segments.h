// Memory for elements 0, 1, 2 and so on that never moves while more is added.
#pragma once

#include "common.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace tbb::detail {

/// Segments of memory, each as long as all before it. They are found without a lock, and made by
/// the thread that needs the first element, or by any.
///
/// Checked by: tests/compat/containers_test.cpp ("vector: threads grow it together"), by
/// ThreadSanitizer
///
/// Invariant: a segment is null, then for good memory or failed(), until a thread that is alone
/// says otherwise. So is the array of the far ones, which comes with the first of them: a container
/// of few elements is small.
template <class T, class Allocator, unsigned kFirstBits>
class Segments {
 public:
  static constexpr std::size_t kFirst = std::size_t{1} << kFirstBits;  // elements of the first two
  static constexpr unsigned kNumber = sizeof(std::size_t) * 8 - kFirstBits;

  static unsigned of(std::size_t i) noexcept {
    constexpr int kHighest = sizeof(i) * 8 - 1;
    // ^ rather than -: a compiler sees that it undoes its own
    return static_cast<unsigned>(kHighest ^ std::countl_zero(i | (kFirst - 1))) + 1 - kFirstBits;
  }
  static std::size_t base(unsigned k) noexcept {
    return (std::size_t{1} << (k + kFirstBits - 1)) & ~(kFirst - 1);  // 0 for k = 0
  }
  static std::size_t size(unsigned k) noexcept { return k == 0 ? kFirst : kFirst << (k - 1); }

  T* at(std::size_t i) const noexcept {
    const unsigned k = of(i);
    const Segment& segment =
        k < kNear ? near_[k] : far_.load(std::memory_order_acquire)[k - kNear];  // [segments.S2]
    return segment.load(std::memory_order_acquire) + (i - base(k));              // [segments.S2]
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
    Segment* const segment = k < kNear ? &near_[k] : make_far(k, allocator);
    T* const memory = std::allocator_traits<Allocator>::allocate(allocator, size(k));
    prepare(memory);
    T* before = nullptr;
    // [segments.S1] pairs with S2: who finds it finds what was prepared
    if (segment->compare_exchange_strong(before, memory, std::memory_order_release,
                                         std::memory_order_relaxed))
      return memory;
    std::allocator_traits<Allocator>::deallocate(allocator, memory, size(k));
    return wait_for(k);
  }

  /// Nobody will make it: for who has not made what others wait for. Nor those behind it, where
  /// there is no array for them.
  void fail(unsigned k) noexcept {
    Segment* none = nullptr;
    if (k >= kNear && far_.compare_exchange_strong(none, no_far(), std::memory_order_relaxed))
      return;
    T* before = nullptr;
    if (Segment* const segment = if_place(k))
      segment->compare_exchange_strong(before, failed(), std::memory_order_relaxed);
  }

  /// For a thread that is alone: gives segments `from` and on back, and forgets those that failed.
  void free(unsigned from, Allocator allocator) noexcept {
    for (unsigned k = 0; k < kNumber; ++k) {
      Segment* const segment = if_place(k);
      T* const memory = segment != nullptr ? segment->load(std::memory_order_relaxed) : nullptr;
      if (memory == nullptr || (memory != failed() && k < from)) continue;
      segment->store(nullptr, std::memory_order_relaxed);
      if (memory != failed())
        std::allocator_traits<Allocator>::deallocate(allocator, memory, size(k));
    }
    Segment* const distant = if_place(kNear);
    if (distant != nullptr && std::any_of(distant, distant + kFar, [](const Segment& segment) {
          return segment.load(std::memory_order_relaxed) != nullptr;
        }))
      return;
    if (distant != nullptr) free_far(distant, allocator);
    far_.store(nullptr, std::memory_order_relaxed);
  }

  void swap(Segments& other) noexcept {
    for (unsigned k = 0; k < kNear; ++k) swap_alone(near_[k], other.near_[k]);
    swap_alone(far_, other.far_);
  }

 private:
  using Segment = std::atomic<T*>;
  using FarAllocator = Rebound<Allocator, Segment>;
  static constexpr unsigned kNear = 8;
  static constexpr unsigned kFar = kNumber - kNear;

  static T* failed() noexcept { return reinterpret_cast<T*>(std::uintptr_t{1}); }
  static Segment* no_far() noexcept { return reinterpret_cast<Segment*>(std::uintptr_t{1}); }

  /// Null where there is no array for it.
  Segment* if_place(unsigned k) noexcept {
    if (k < kNear) return &near_[k];
    Segment* const distant = far_.load(std::memory_order_acquire);  // [segments.S2]
    return distant == nullptr || distant == no_far() ? nullptr : distant + (k - kNear);
  }

  T* pointer(unsigned k) const noexcept {
    if (k < kNear) return near_[k].load(std::memory_order_acquire);       // [segments.S2]
    const Segment* const distant = far_.load(std::memory_order_acquire);  // [segments.S2]
    if (distant == nullptr) return nullptr;
    if (distant == no_far()) return failed();
    return distant[k - kNear].load(std::memory_order_acquire);  // [segments.S2]
  }

  /// The place of segment k, in an array that is new if there was none.
  FURCA_NOINLINE Segment* make_far(unsigned k, const Allocator& allocator) {
    Segment* distant = far_.load(std::memory_order_acquire);  // [segments.S2]
    if (distant == nullptr) {
      FarAllocator of_far(allocator);
      Segment* const made = std::allocator_traits<FarAllocator>::allocate(of_far, kFar);
      std::uninitialized_value_construct_n(made, kFar);
      // [segments.S1]
      if (far_.compare_exchange_strong(distant, made, std::memory_order_release,
                                       std::memory_order_relaxed))
        return made + (k - kNear);
      free_far(made, allocator);
      distant = far_.load(std::memory_order_acquire);  // [segments.S2]
    }
    if (distant == no_far()) throw std::bad_alloc();
    return distant + (k - kNear);
  }

  static void free_far(Segment* distant, const Allocator& allocator) noexcept {
    FarAllocator of_far(allocator);
    std::allocator_traits<FarAllocator>::deallocate(of_far, distant, kFar);
  }

  Segment near_[kNear]{};
  std::atomic<Segment*> far_{nullptr};
};

}  // namespace tbb::detail
