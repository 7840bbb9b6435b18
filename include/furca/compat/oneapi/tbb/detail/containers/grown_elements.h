// The elements of a concurrent_vector, and how threads add some.
// Checked by: tests/compat/containers_test.cpp ("vector: threads grow it together"), by
// ThreadSanitizer
#pragma once

#include "common.h"
#include "segments.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace tbb::detail {

/// A counter of elements, and segments for them. Any thread may grow it and ask for the size; the
/// rest is for one that is alone.
template <class T, class Allocator>
class GrownElements {
 protected:
  using Traits = std::allocator_traits<Allocator>;
  using Table = Segments<T, Allocator, 1>;

  /// The number of the first element that was added, and where it is if that is known.
  struct Grown {
    std::size_t from;
    T* first;
  };

  explicit GrownElements(const Allocator& allocator) noexcept : allocator_(allocator) {}
  explicit GrownElements(Allocator&& allocator) noexcept : allocator_(std::move(allocator)) {}
  GrownElements(const GrownElements&) = delete;
  GrownElements& operator=(const GrownElements&) = delete;
  ~GrownElements() { drop(); }

  /// Elements and memory.
  void drop() noexcept {
    cut(0);
    segments_.free(0, allocator_);
  }

  std::size_t size() const noexcept {
    const std::size_t all = size_.load(std::memory_order_acquire);  // [vector.G2]
    return std::min(all, memory_for(all));
  }

  void reserve(std::size_t n) {
    if (n == 0) return;
    if (n > Traits::max_size(allocator_))
      throw std::length_error("furca: concurrent_vector::reserve: too many");
    cut(size());
    const std::size_t before = memory_for(~std::size_t{0});
    try {
      for (unsigned k = 0; k <= Table::of(n - 1); ++k) make_segment(k);
    } catch (...) {
      segments_.free(before == 0 ? 0 : Table::of(before - 1) + 1, allocator_);
      throw;
    }
  }
  void shrink() {
    cut(size());
    segments_.free(size() == 0 ? 0 : Table::of(size() - 1) + 1, allocator_);
  }
  void swap(GrownElements& other) noexcept {
    swap_along(allocator_, other.allocator_);
    segments_.swap(other.segments_);
    swap_alone(size_, other.size_);
  }

  static bool begins_segment(std::size_t i) noexcept { return i == Table::base(Table::of(i)); }
  T* element(std::size_t i) const noexcept { return segments_.at(i); }

  /// Elements that there is memory for, without a gap, if they are fewer than n.
  std::size_t memory_for(std::size_t n) const noexcept {
    unsigned k = 0;
    while (k < Table::kNumber && Table::base(k) < n && segments_.if_any(k) != nullptr) ++k;
    return Table::base(k);
  }

  template <class Make>
  Grown grow(std::size_t n, Make make) {
    if (n > Traits::max_size(allocator_)) throw std::bad_alloc();
    // [vector.G1] pairs with G2
    return fill(size_.fetch_add(n, std::memory_order_release), n, make);
  }

  template <class Make>
  Grown grow_to(std::size_t n, Make make) {
    std::size_t from = size_.load(std::memory_order_acquire);  // [vector.G2]
    while (from < n)
      // [vector.G1]
      if (size_.compare_exchange_weak(from, n, std::memory_order_release))
        return fill(from, n - from, make);
    if (n == 0) return {0, nullptr};
    for (unsigned k = 0; k <= Table::of(n - 1); ++k) segments_.wait_for(k);
    return {size(), nullptr};
  }

  /// Drops what is behind the first n elements, and behind a segment that has failed.
  void cut(std::size_t n) {
    const std::size_t left = std::min(n, size());
    for_pieces(left, size_.load(std::memory_order_relaxed), [this](T* p, std::size_t number) {
      while (number > 0) Traits::destroy(allocator_, p + --number);
    });
    size_.store(left, std::memory_order_relaxed);
    segments_.free(Table::kNumber, allocator_);
  }

  /// Into an empty vector.
  void take_memory(GrownElements& other) noexcept {
    segments_.swap(other.segments_);
    size_.store(other.size_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    other.size_.store(0, std::memory_order_relaxed);
  }

  /// For constructors: if one element cannot be made, only those before it are there.
  template <class Make>
  void begin_with(std::size_t n, Make make) {
    for (std::size_t at = 0; at != n; size_.store(++at, std::memory_order_relaxed)) {
      if (begins_segment(at)) make_segment(Table::of(at));
      make(element(at));
    }
  }

  FURCA_NO_UNIQUE_ADDRESS Allocator allocator_;

 private:
  /// Throws what the allocator throws: the segment then has failed for all.
  T* make_segment(unsigned k) {
    try {
      return segments_.make(k, allocator_, [](T*) {});
    } catch (...) {
      segments_.fail(k);
      throw;
    }
  }

  /// Makes elements [from, from + n), which are this thread's.
  template <class Make>
  Grown fill(std::size_t from, std::size_t n, Make make) {
    const unsigned k = Table::of(from);
    T* const memory = n == 1 ? segments_.if_any(k) : nullptr;
    if (memory == nullptr) return fill_segments(from, n, make);
    T* const place = memory + (from - Table::base(k));
    try {
      make(place);
    } catch (...) {
      std::memset(static_cast<void*>(place), 0, sizeof(T));
      throw;
    }
    return {from, place};
  }

  /// The same. With the first element in a segment comes its memory, and all of that comes before
  /// the elements: others may wait for it.
  template <class Make>
  FURCA_NOINLINE Grown fill_segments(std::size_t from, std::size_t n, Make& make) {
    const std::size_t end = from + n;
    const std::exception_ptr no_memory = make_segments(from, end);
    T* first = nullptr;
    std::size_t at = from;
    try {
      while (at != end) {
        const unsigned k = Table::of(at);
        T* p = segments_.outcome(k);
        if (p == nullptr && no_memory != nullptr) std::rethrow_exception(no_memory);
        if (p == nullptr) throw std::bad_alloc();  // another thread's call has failed
        p += at - Table::base(k);
        if (first == nullptr) first = p;
        for (const std::size_t to = std::min(end, end_of(k)); at != to; ++at) make(p++);
      }
    } catch (...) {
      for_pieces(at, end, [](T* p, std::size_t number) {
        std::memset(static_cast<void*>(p), 0, number * sizeof(T));
      });
      throw;
    }
    return {from, first};
  }

  /// Those that begin in [from, end). If one cannot be made, nor are those behind it; returns why.
  std::exception_ptr make_segments(std::size_t from, std::size_t end) noexcept {
    if (from == end) return nullptr;
    unsigned k = Table::of(from);
    if (Table::base(k) != from) ++k;
    try {
      for (; k < Table::kNumber && Table::base(k) < end; ++k) make_segment(k);
    } catch (...) {
      for (; k < Table::kNumber && Table::base(k) < end; ++k) segments_.fail(k);
      return std::current_exception();
    }
    return nullptr;
  }

  static std::size_t end_of(unsigned k) noexcept { return Table::base(k) + Table::size(k); }

  /// f(address, number) for what there is memory for in [from, to), at most once for a segment.
  template <class F>
  void for_pieces(std::size_t from, std::size_t to, const F& f) const {
    while (from < to) {
      const unsigned k = Table::of(from);
      if (k >= Table::kNumber) return;
      const std::size_t next = std::min(to, end_of(k));
      if (T* const p = segments_.if_any(k)) f(p + (from - Table::base(k)), next - from);
      from = next;
    }
  }

  Table segments_;
  std::atomic<std::size_t> size_{0};
};

}  // namespace tbb::detail
