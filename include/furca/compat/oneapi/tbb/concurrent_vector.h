// tbb::concurrent_vector: elements that stay where they are while threads add others.
// Checked by: tests/compat/containers_test.cpp ("vector: threads grow it together"), by
// ThreadSanitizer
#pragma once

#include "blocked_range.h"
#include "cache_aligned_allocator.h"
#include "detail/containers.h"
#include "detail/segments.h"
#include "detail/vector_iterator.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tbb {

/// As oneTBB's. Threads may add elements, ask for the size, go from one to the next and use those
/// that are ready, all at once; an element may be counted before it is ready. What else changes the
/// vector is for one thread.
///
/// Exceptions: if an element cannot be made, it and the rest of what was to be added are bytes of
/// zero, which count. If there is no memory, the vector ends before what would lie there, and so do
/// all that others add behind; clear() makes it whole.
template <class T, class Allocator = cache_aligned_allocator<T>>
class concurrent_vector {
  static_assert(std::is_same_v<T, typename Allocator::value_type>,
                "furca: concurrent_vector<T, Allocator>: the allocator must be one of T");
  using Traits = std::allocator_traits<Allocator>;
  using Segments = detail::Segments<T, Allocator, 1>;

  template <class Iterator>
  class Range : public blocked_range<Iterator> {
   public:
    using value_type = T;
    using reference = T&;
    using const_reference = const T&;
    using iterator = Iterator;
    using difference_type = std::ptrdiff_t;

    using blocked_range<Iterator>::blocked_range;
    template <class Other>
    Range(const Range<Other>& other)  // NOLINT: of const elements from one of others
        : blocked_range<Iterator>(other.begin(), other.end(), other.grainsize()) {}
    Range(Range& other, split tag) : blocked_range<Iterator>(other, tag) {}
  };

 public:
  using value_type = T;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = typename Traits::pointer;
  using const_pointer = typename Traits::const_pointer;
  using iterator = detail::VectorIterator<concurrent_vector, T>;
  using const_iterator = detail::VectorIterator<concurrent_vector, const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using range_type = Range<iterator>;
  using const_range_type = Range<const_iterator>;

  concurrent_vector() : concurrent_vector(Allocator()) {}
  explicit concurrent_vector(const Allocator& allocator) noexcept : allocator_(allocator) {}
  explicit concurrent_vector(size_type n, const T& value, const Allocator& allocator = Allocator())
      : concurrent_vector(allocator) {
    begin_with(n, making(value));
  }
  explicit concurrent_vector(size_type n, const Allocator& allocator = Allocator())
      : concurrent_vector(allocator) {
    begin_with(n, making());
  }
  template <detail::InputIterator I>
  concurrent_vector(I first, I last, const Allocator& allocator = Allocator())
      : concurrent_vector(allocator) {
    begin_with(number(first, last), making_from(first));
  }
  concurrent_vector(std::initializer_list<T> values, const Allocator& allocator = Allocator())
      : concurrent_vector(values.begin(), values.end(), allocator) {}
  concurrent_vector(const concurrent_vector& other)
      : concurrent_vector(other, Traits::select_on_container_copy_construction(other.allocator_)) {}
  concurrent_vector(const concurrent_vector& other, const Allocator& allocator)
      : concurrent_vector(other.begin(), other.end(), allocator) {}
  concurrent_vector(concurrent_vector&& other) noexcept : allocator_(std::move(other.allocator_)) {
    take_memory(other);
  }
  concurrent_vector(concurrent_vector&& other, const Allocator& allocator)
      : concurrent_vector(allocator) {
    if (detail::same(allocator_, other.allocator_)) {
      take_memory(other);
    } else {
      std::move_iterator from(other.begin());
      begin_with(other.size(), making_from(from));
    }
  }
  ~concurrent_vector() {
    clear();
    segments_.free(0, allocator_);
  }

  concurrent_vector& operator=(const concurrent_vector& other) {
    if (this == &other) return *this;
    clear();
    segments_.free(0, allocator_);
    detail::copy_along(allocator_, other.allocator_);
    grow_by(other.begin(), other.end());
    return *this;
  }
  concurrent_vector& operator=(concurrent_vector&& other) noexcept(
      detail::kMovesAlong<Allocator> || detail::kAlwaysEqual<Allocator>) {
    if (this == &other) return *this;
    clear();
    segments_.free(0, allocator_);
    detail::move_along(allocator_, other.allocator_);
    if constexpr (detail::kMovesAlong<Allocator> || detail::kAlwaysEqual<Allocator>) {
      take_memory(other);
    } else if (detail::same(allocator_, other.allocator_)) {
      take_memory(other);
    } else {
      grow_by(std::move_iterator(other.begin()), std::move_iterator(other.end()));
    }
    return *this;
  }
  concurrent_vector& operator=(std::initializer_list<T> values) {
    assign(values);
    return *this;
  }

  void assign(size_type n, const T& value) {
    clear();
    reserve(n);
    grow_by(n, value);
  }
  template <detail::InputIterator I>
  void assign(I first, I last) {
    clear();
    reserve(number(first, last));
    grow_by(first, last);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }

  /// Any thread: adds elements behind all others. Returns where the first one is.
  /// @{
  iterator grow_by(size_type n) { return grow(n, making()); }
  iterator grow_by(size_type n, const T& value) { return grow(n, making(value)); }
  template <detail::InputIterator I>
  iterator grow_by(I first, I last) {
    return grow(number(first, last), making_from(first));
  }
  iterator grow_by(std::initializer_list<T> values) {
    return grow_by(values.begin(), values.end());
  }
  iterator push_back(const T& value) { return emplace_back(value); }
  iterator push_back(T&& value) { return emplace_back(std::move(value)); }
  template <class... Arguments>
  iterator emplace_back(Arguments&&... arguments) {
    return grow(
        1, [&](T* p) { Traits::construct(allocator_, p, std::forward<Arguments>(arguments)...); });
  }
  /// @}

  /// Any thread: adds what is missing to n elements. Returns where the first of those is; or, if
  /// there are n, the end; for no elements the beginning, as oneTBB does.
  /// @{
  iterator grow_to_at_least(size_type n) { return grow_to(n, making()); }
  iterator grow_to_at_least(size_type n, const T& value) { return grow_to(n, making(value)); }
  /// @}

  reference operator[](size_type i) { return *element(i); }
  const_reference operator[](size_type i) const { return *element(i); }
  /// Throws std::out_of_range, also where there was no memory.
  reference at(size_type i) { return *checked(i); }
  const_reference at(size_type i) const { return *checked(i); }
  reference front() { return *element(0); }
  const_reference front() const { return *element(0); }
  reference back() { return *element(size() - 1); }
  const_reference back() const { return *element(size() - 1); }

  range_type range(size_type grainsize = 1) { return {begin(), end(), grainsize}; }
  const_range_type range(size_type grainsize = 1) const { return {begin(), end(), grainsize}; }

  iterator begin() { return {*this, 0}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator cbegin() const { return begin(); }
  iterator end() { return {*this, size()}; }
  const_iterator end() const { return {*this, size()}; }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator crbegin() const { return rbegin(); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const_reverse_iterator crend() const { return rend(); }

  allocator_type get_allocator() const { return allocator_; }
  bool empty() const noexcept { return size() == 0; }
  size_type max_size() const noexcept { return Traits::max_size(allocator_); }

  /// Elements that there is memory for, some of which may not be ready.
  size_type size() const noexcept {
    const size_type all = size_.load(std::memory_order_acquire);  // [vector.G2]
    return std::min(all, memory_for(all));
  }
  size_type capacity() const noexcept { return memory_for(~size_type{0}); }

  /// Throws std::length_error, and what the allocator throws: nothing has changed then.
  void reserve(size_type n) {
    if (n == 0) return;
    if (n > max_size()) throw std::length_error("furca: concurrent_vector::reserve: too many");
    cut(size());
    const size_type before = capacity();
    try {
      for (unsigned k = 0; k <= Segments::of(n - 1); ++k) make_segment(k);
    } catch (...) {
      segments_.free(before == 0 ? 0 : Segments::of(before - 1) + 1, allocator_);
      throw;
    }
  }
  void resize(size_type n) {
    cut(n);
    grow_by(n - size());
  }
  void resize(size_type n, const T& value) {
    cut(n);
    grow_by(n - size(), value);
  }
  void shrink_to_fit() {
    cut(size());
    segments_.free(empty() ? 0 : Segments::of(size() - 1) + 1, allocator_);
  }
  void clear() { cut(0); }

  void swap(concurrent_vector& other) noexcept(detail::kSwapsFreely<Allocator>) {
    if (this == &other) return;
    detail::swap_along(allocator_, other.allocator_);
    segments_.swap(other.segments_);
    const size_type mine = size_.load(std::memory_order_relaxed);
    size_.store(other.size_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    other.size_.store(mine, std::memory_order_relaxed);
  }
  friend void swap(concurrent_vector& a, concurrent_vector& b) { a.swap(b); }

  friend bool operator==(const concurrent_vector& a, const concurrent_vector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend auto operator<=>(const concurrent_vector& a, const concurrent_vector& b) {
    return detail::compare(a, b);
  }

 private:
  template <class, class>
  friend class detail::VectorIterator;

  static bool begins_segment(size_type i) noexcept { return i == Segments::base(Segments::of(i)); }
  T* element(size_type i) const noexcept { return segments_.at(i); }
  T* checked(size_type i) const {
    if (i >= size()) throw std::out_of_range("furca: concurrent_vector::at: no such element");
    return element(i);
  }

  /// Elements that there is memory for, without a gap, if they are fewer than n.
  size_type memory_for(size_type n) const noexcept {
    unsigned k = 0;
    while (k < Segments::kNumber && Segments::base(k) < n && segments_.if_any(k) != nullptr) ++k;
    return Segments::base(k);
  }

  /// Throws what the allocator throws: the segment then has failed for all.
  T* make_segment(unsigned k) {
    try {
      return segments_.make(k, allocator_, [](T*) {});
    } catch (...) {
      segments_.fail(k);
      throw;
    }
  }

  template <class I>
  static size_type number(I first, I last) {
    return static_cast<size_type>(std::distance(first, last));
  }

  /// What makes an element at an address.
  /// @{
  auto making() {
    return [this](T* p) { Traits::construct(allocator_, p); };
  }
  auto making(const T& value) {
    return [this, &value](T* p) { Traits::construct(allocator_, p, value); };
  }
  template <class I>
  auto making_from(I& at) {
    return [this, &at](T* p) {
      Traits::construct(allocator_, p, *at);
      ++at;
    };
  }
  /// @}

  template <class Make>
  iterator grow(size_type n, Make make) {
    if (n > max_size()) throw std::bad_alloc();
    // [vector.G1] pairs with G2
    return fill(size_.fetch_add(n, std::memory_order_release), n, make);
  }

  template <class Make>
  iterator grow_to(size_type n, Make make) {
    size_type from = size_.load(std::memory_order_acquire);  // [vector.G2]
    while (from < n)
      // [vector.G1]
      if (size_.compare_exchange_weak(from, n, std::memory_order_release))
        return fill(from, n - from, make);
    if (n == 0) return begin();
    for (unsigned k = 0; k <= Segments::of(n - 1); ++k) segments_.wait_for(k);
    return end();
  }

  /// Makes elements [from, from + n), which are this thread's. With the first in a segment comes
  /// its memory, and all of that comes before the elements: others may wait for it.
  template <class Make>
  iterator fill(size_type from, size_type n, Make make) {
    const size_type end = from + n;
    const std::exception_ptr no_memory = make_segments(from, end);
    T* first = nullptr;
    size_type at = from;
    try {
      while (at != end) {
        const unsigned k = Segments::of(at);
        T* p = segments_.outcome(k);
        if (p == nullptr && no_memory != nullptr) std::rethrow_exception(no_memory);
        if (p == nullptr) throw std::bad_alloc();  // another thread's call has failed
        p += at - Segments::base(k);
        if (first == nullptr) first = p;
        for (const size_type to = std::min(end, end_of(k)); at != to; ++at) make(p++);
      }
    } catch (...) {
      for_pieces(at, end, [](T* p, size_type number) {
        std::memset(static_cast<void*>(p), 0, number * sizeof(T));
      });
      throw;
    }
    return {*this, from, first};
  }

  /// Those that begin in [from, end). If one cannot be made, nor are those behind it; returns why.
  std::exception_ptr make_segments(size_type from, size_type end) noexcept {
    if (from == end) return nullptr;
    unsigned k = Segments::of(from);
    if (Segments::base(k) != from) ++k;
    try {
      for (; k < Segments::kNumber && Segments::base(k) < end; ++k) make_segment(k);
    } catch (...) {
      for (; k < Segments::kNumber && Segments::base(k) < end; ++k) segments_.fail(k);
      return std::current_exception();
    }
    return nullptr;
  }

  static size_type end_of(unsigned k) noexcept { return Segments::base(k) + Segments::size(k); }

  /// f(address, number) for what there is memory for in [from, to), at most once for a segment.
  template <class F>
  void for_pieces(size_type from, size_type to, const F& f) const {
    while (from < to) {
      const unsigned k = Segments::of(from);
      if (k >= Segments::kNumber) return;
      const size_type next = std::min(to, end_of(k));
      if (T* const p = segments_.if_any(k)) f(p + (from - Segments::base(k)), next - from);
      from = next;
    }
  }

  /// Drops what is behind the first n elements, and behind a segment that has failed.
  void cut(size_type n) {
    const size_type left = std::min(n, size());
    for_pieces(left, size_.load(std::memory_order_relaxed), [this](T* p, size_type number) {
      while (number > 0) Traits::destroy(allocator_, p + --number);
    });
    size_.store(left, std::memory_order_relaxed);
    segments_.free(Segments::kNumber, allocator_);
  }

  /// Into an empty vector.
  void take_memory(concurrent_vector& other) noexcept {
    segments_.swap(other.segments_);
    size_.store(other.size_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    other.size_.store(0, std::memory_order_relaxed);
  }

  /// For constructors: if one element cannot be made, only those before it are there.
  template <class Make>
  void begin_with(size_type n, Make make) {
    for (size_type at = 0; at != n; size_.store(++at, std::memory_order_relaxed)) {
      if (begins_segment(at)) make_segment(Segments::of(at));
      make(element(at));
    }
  }

  [[no_unique_address]] Allocator allocator_;
  Segments segments_;
  std::atomic<size_type> size_{0};
};

template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_vector(I, I, A = A()) -> concurrent_vector<detail::ValueAt<I>, A>;

}  // namespace tbb
