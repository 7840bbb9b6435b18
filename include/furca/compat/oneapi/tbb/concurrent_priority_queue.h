// tbb::concurrent_priority_queue: the largest item first.
// Checked by: tests/compat/containers_test.cpp ("priority queue: the largest first")
#pragma once

#include "cache_aligned_allocator.h"
#include "detail/containers/common.h"
#include "spin_mutex.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

namespace tbb {

/// As oneTBB's: a heap behind a mutex. push(), emplace(), try_pop(), empty() and size() are for any
/// thread, several at once. An exception leaves the queue as it was, but for one of an item's
/// assignment.
template <class T, class Compare = std::less<T>, class Allocator = cache_aligned_allocator<T>>
class concurrent_priority_queue {
  using Queue = concurrent_priority_queue;
  using Lock = std::lock_guard<detail::SpinningMutex>;

 public:
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using allocator_type = Allocator;

  concurrent_priority_queue() : Queue(Allocator()) {}
  explicit concurrent_priority_queue(const Allocator& allocator) : heap_(allocator) {}
  explicit concurrent_priority_queue(const Compare& compare,
                                     const Allocator& allocator = Allocator())
      : compare_(compare), heap_(allocator) {}
  explicit concurrent_priority_queue(size_type capacity, const Allocator& allocator = Allocator())
      : Queue(capacity, Compare(), allocator) {}
  explicit concurrent_priority_queue(size_type capacity, const Compare& compare,
                                     const Allocator& allocator = Allocator())
      : Queue(compare, allocator) {
    heap_.reserve(capacity);
  }
  template <detail::InputIterator I>
  concurrent_priority_queue(I first, I last, const Compare& compare,
                            const Allocator& allocator = Allocator())
      : compare_(compare), heap_(first, last, allocator) {
    make_heap();
  }
  template <detail::InputIterator I>
  concurrent_priority_queue(I first, I last, const Allocator& allocator = Allocator())
      : Queue(first, last, Compare(), allocator) {}
  concurrent_priority_queue(std::initializer_list<T> values, const Compare& compare,
                            const Allocator& allocator = Allocator())
      : Queue(values.begin(), values.end(), compare, allocator) {}
  concurrent_priority_queue(std::initializer_list<T> values,
                            const Allocator& allocator = Allocator())
      : Queue(values, Compare(), allocator) {}
  concurrent_priority_queue(const Queue& other) : compare_(other.compare_), heap_(other.heap_) {}
  concurrent_priority_queue(const Queue& other, const Allocator& allocator)
      : compare_(other.compare_), heap_(other.heap_, allocator) {}
  concurrent_priority_queue(Queue&& other)
      : compare_(other.compare_), heap_(std::move(other.heap_)) {}
  concurrent_priority_queue(Queue&& other, const Allocator& allocator)
      : compare_(other.compare_), heap_(std::move(other.heap_), allocator) {}

  Queue& operator=(const Queue& other) {
    heap_ = other.heap_;
    return *this;
  }
  Queue& operator=(Queue&& other) {
    heap_ = std::move(other.heap_);
    return *this;
  }
  Queue& operator=(std::initializer_list<T> values) {
    assign(values);
    return *this;
  }
  template <detail::InputIterator I>
  void assign(I first, I last) {
    heap_.assign(first, last);
    make_heap();
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }

  [[nodiscard]] bool empty() const { return size() == 0; }
  size_type size() const {
    const Lock lock(mutex_);
    return heap_.size();
  }

  void push(const T& value) { emplace(value); }
  void push(T&& value) { emplace(std::move(value)); }
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    const Lock lock(mutex_);
    heap_.emplace_back(std::forward<Arguments>(arguments)...);
    const size_type last = heap_.size() - 1;  // moved only if it has to be
    if (last > 0 && compare_(heap_[(last - 1) / 2], heap_[last]))
      std::push_heap(heap_.begin(), heap_.end(), compare_);
  }

  /// False: there is nothing.
  bool try_pop(T& result) {
    const Lock lock(mutex_);
    if (heap_.empty()) return false;
    result = std::move(heap_.front());
    fill_top();
    return true;
  }

  void clear() { heap_.clear(); }
  void swap(Queue& other) { heap_.swap(other.heap_); }
  friend void swap(Queue& a, Queue& b) { a.swap(b); }
  allocator_type get_allocator() const { return heap_.get_allocator(); }

  /// The same items, in any order.
  friend bool operator==(const Queue& a, const Queue& b) {
    return a.heap_.size() == b.heap_.size() &&
           std::is_permutation(a.heap_.begin(), a.heap_.end(), b.heap_.begin());
  }

 private:
  /// The last item takes the first one's place, and goes down from there: by assignments alone, as
  /// constructors may throw.
  void fill_top() {
    const size_type last = heap_.size() - 1;
    size_type at = 0;
    for (size_type below = 1; below < last; below = 2 * at + 1) {
      if (below + 1 < last && compare_(heap_[below], heap_[below + 1])) ++below;
      if (!compare_(heap_[last], heap_[below])) break;
      heap_[at] = std::move(heap_[below]);
      at = below;
    }
    if (at != last) heap_[at] = std::move(heap_[last]);
    heap_.pop_back();
  }
  void make_heap() { std::make_heap(heap_.begin(), heap_.end(), compare_); }

  mutable detail::SpinningMutex mutex_;
  Compare compare_;
  std::vector<T, Allocator> heap_;
};

template <detail::InputIterator I, class C = std::less<detail::ValueAt<I>>,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
  requires(!detail::AllocatorLike<C>)
concurrent_priority_queue(I, I, C = C(), A = A())
    -> concurrent_priority_queue<detail::ValueAt<I>, C, A>;
template <detail::InputIterator I, detail::AllocatorLike A>
concurrent_priority_queue(I, I, A)
    -> concurrent_priority_queue<detail::ValueAt<I>, std::less<detail::ValueAt<I>>, A>;
template <class T, class C = std::less<T>, detail::AllocatorLike A = cache_aligned_allocator<T>>
  requires(!detail::AllocatorLike<C>)
concurrent_priority_queue(std::initializer_list<T>, C = C(), A = A())
    -> concurrent_priority_queue<T, C, A>;
template <class T, detail::AllocatorLike A>
concurrent_priority_queue(std::initializer_list<T>, A)
    -> concurrent_priority_queue<T, std::less<T>, A>;

}  // namespace tbb
