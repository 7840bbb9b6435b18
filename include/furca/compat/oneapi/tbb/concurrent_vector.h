// tbb::concurrent_vector: elements that stay where they are while threads add others.
#pragma once

#include "blocked_range.h"
#include "cache_aligned_allocator.h"
#include "detail/containers/common.h"
#include "detail/containers/grown_elements.h"
#include "detail/containers/vector_iterator.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
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
class concurrent_vector : detail::GrownElements<T, Allocator> {
  using Base = detail::GrownElements<T, Allocator>;
  static_assert(std::is_same_v<T, typename Allocator::value_type>,
                "furca: concurrent_vector<T, Allocator>: the allocator must be one of T");
  using Traits = std::allocator_traits<Allocator>;

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
  explicit concurrent_vector(const Allocator& allocator) noexcept : Base(allocator) {}
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
  concurrent_vector(concurrent_vector&& other) noexcept : Base(std::move(other.allocator_)) {
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
  ~concurrent_vector() = default;

  concurrent_vector& operator=(const concurrent_vector& other) {
    if (this == &other) return *this;
    Base::drop();
    detail::copy_along(allocator_, other.allocator_);
    grow_by(other.begin(), other.end());
    return *this;
  }
  concurrent_vector& operator=(concurrent_vector&& other) noexcept(
      detail::kMovesAlong<Allocator> || detail::kAlwaysEqual<Allocator>) {
    if (this == &other) return *this;
    Base::drop();
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
  size_type size() const noexcept { return Base::size(); }
  size_type capacity() const noexcept { return Base::memory_for(~size_type{0}); }

  /// Throws std::length_error, and what the allocator throws: nothing has changed then.
  void reserve(size_type n) { Base::reserve(n); }
  void resize(size_type n) {
    cut(n);
    grow_by(n - size());
  }
  void resize(size_type n, const T& value) {
    cut(n);
    grow_by(n - size(), value);
  }
  void shrink_to_fit() { Base::shrink(); }
  void clear() { cut(0); }

  void swap(concurrent_vector& other) noexcept(detail::kSwapsFreely<Allocator>) {
    if (this != &other) Base::swap(other);
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

  using Base::allocator_;
  using Base::begin_with;
  using Base::begins_segment;
  using Base::cut;
  using Base::element;
  using Base::take_memory;

  T* checked(size_type i) const {
    if (i >= size()) throw std::out_of_range("furca: concurrent_vector::at: no such element");
    return element(i);
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
    const auto [from, first] = Base::grow(n, make);
    return {*this, from, first};
  }
  template <class Make>
  iterator grow_to(size_type n, Make make) {
    const auto [from, first] = Base::grow_to(n, make);
    return {*this, from, first};
  }
};

template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_vector(I, I, A = A()) -> concurrent_vector<detail::ValueAt<I>, A>;

}  // namespace tbb
