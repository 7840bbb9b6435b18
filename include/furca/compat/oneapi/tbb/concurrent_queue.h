// tbb::concurrent_queue and concurrent_bounded_queue: first in, first out.
// Checked by: tests/compat/containers_test.cpp ("queue: what several threads add several take, in
// order"), by ThreadSanitizer
#pragma once

#include "cache_aligned_allocator.h"
#include "detail/containers/common.h"
#include "detail/containers/queue_items.h"
#include "detail/exceptions.h"
#include "spin_mutex.h"

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb {

namespace detail {

/// What both queues are for a thread that is alone.
template <class Self, class T, class Allocator, class Size>
class Queue {
  using Traits = std::allocator_traits<Allocator>;

 public:
  using size_type = Size;
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using difference_type = std::ptrdiff_t;
  using allocator_type = Allocator;
  using pointer = typename Traits::pointer;
  using const_pointer = typename Traits::const_pointer;
  using iterator = typename QueueItems<T, Allocator>::template Iterator<T>;
  using const_iterator = typename QueueItems<T, Allocator>::template Iterator<const T>;

  explicit Queue(const Allocator& allocator) : items_(allocator) {}
  template <InputIterator I>
  Queue(I first, I last, const Allocator& allocator) : items_(allocator) {
    for (; first != last; ++first) items_.add(*first);
  }
  Queue(const Queue& other)
      : Queue(other, Traits::select_on_container_copy_construction(other.get_allocator())) {}
  Queue(const Queue& other, const Allocator& allocator)
      : Queue(other.unsafe_begin(), other.unsafe_end(), allocator) {}
  Queue(Queue&& other) : items_(std::move(other.items_.allocator())) { items_.swap(other.items_); }
  Queue(Queue&& other, const Allocator& allocator) : items_(allocator) {
    if (allocator == other.items_.allocator()) {
      items_.swap(other.items_);
    } else {
      for (T& item : other) items_.add(std::move(item));
      other.clear();
    }
  }
  Queue& operator=(const Queue&) = delete;

  void push(const T& value) { self().emplace(value); }
  void push(T&& value) { self().emplace(std::move(value)); }

  void clear() { items_.clear(); }
  allocator_type get_allocator() const { return items_.allocator(); }
  [[nodiscard]] bool empty() const { return items_.size() == 0; }

  /// For a time when nobody adds or takes.
  /// @{
  iterator unsafe_begin() { return items_.template begin<T>(); }
  iterator unsafe_end() { return {}; }
  const_iterator unsafe_begin() const { return items_.template begin<const T>(); }
  const_iterator unsafe_end() const { return {}; }
  const_iterator unsafe_cbegin() const { return unsafe_begin(); }
  const_iterator unsafe_cend() const { return {}; }
  /// @}

 protected:
  Self& self() noexcept { return static_cast<Self&>(*this); }

  /// Takes under `lock`, and calls `taken` under it then, also if something throws. An item whose
  /// move does not throw is assigned without the lock, since what it replaces may use the queue.
  template <class Lock, class Taken>
  bool take(T& result, Lock& lock, const Taken& taken) {
    const auto take_to = [&](const auto& f) {
      const std::unique_ptr<const Taken, void (*)(const Taken*)> at_the_end(
          &taken, [](const Taken* call) { (*call)(); });
      return items_.take(f);
    };
    if constexpr (std::is_trivially_copyable_v<T> || !std::is_nothrow_move_constructible_v<T>) {
      return take_to([&](T&& item) { result = std::move(item); });
    } else {
      std::optional<T> moved;
      take_to([&](T&& item) { moved.emplace(std::move(item)); });
      lock.unlock();
      if (moved) result = std::move(*moved);
      return moved.has_value();
    }
  }

  QueueItems<T, Allocator> items_;

 private:
  iterator begin() { return unsafe_begin(); }
  iterator end() { return {}; }
};

}  // namespace detail

/// As oneTBB's. Threads may add and take at once: one that adds waits for another one that does,
/// and likewise those that take. An exception of an item's constructor adds nothing; one of the
/// assignment in try_pop() loses the item.
template <class T, class Allocator = cache_aligned_allocator<T>>
class concurrent_queue
    : public detail::Queue<concurrent_queue<T, Allocator>, T, Allocator, std::size_t> {
  using Base = detail::Queue<concurrent_queue, T, Allocator, std::size_t>;

 public:
  concurrent_queue() : Base(Allocator()) {}
  explicit concurrent_queue(const Allocator& allocator) : Base(allocator) {}
  template <detail::InputIterator I>
  concurrent_queue(I first, I last, const Allocator& allocator = Allocator())
      : Base(first, last, allocator) {}
  concurrent_queue(const concurrent_queue& other) : Base(other) {}
  concurrent_queue(const concurrent_queue& other, const Allocator& allocator)
      : Base(other, allocator) {}
  concurrent_queue(concurrent_queue&& other) : Base(std::move(other)) {}
  concurrent_queue(concurrent_queue&& other, const Allocator& allocator)
      : Base(std::move(other), allocator) {}

  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    const std::lock_guard lock(adding_);
    this->items_.add(std::forward<Arguments>(arguments)...);
  }

  /// False: there is nothing, at some time during the call.
  bool try_pop(T& result) {
    std::unique_lock lock(taking_);
    return this->take(result, lock, [] {});
  }

  std::size_t unsafe_size() const { return this->items_.size(); }

 private:
  alignas(furca::detail::kCacheLine) detail::SpinningMutex adding_;
  alignas(furca::detail::kCacheLine) detail::SpinningMutex taking_;
};

/// As oneTBB's: push() waits while the queue is full, and pop() while it is empty. A thread that
/// waits sleeps, and does nothing else meanwhile.
template <class T, class Allocator = cache_aligned_allocator<T>>
class concurrent_bounded_queue
    : public detail::Queue<concurrent_bounded_queue<T, Allocator>, T, Allocator, std::ptrdiff_t> {
  using Base = detail::Queue<concurrent_bounded_queue, T, Allocator, std::ptrdiff_t>;

 public:
  concurrent_bounded_queue() : Base(Allocator()) {}
  explicit concurrent_bounded_queue(const Allocator& allocator) : Base(allocator) {}
  template <detail::InputIterator I>
  concurrent_bounded_queue(I first, I last, const Allocator& allocator = Allocator())
      : Base(first, last, allocator) {}
  concurrent_bounded_queue(const concurrent_bounded_queue& other) : Base(other) {}
  concurrent_bounded_queue(const concurrent_bounded_queue& other, const Allocator& allocator)
      : Base(other, allocator) {}
  concurrent_bounded_queue(concurrent_bounded_queue&& other) : Base(std::move(other)) {}
  concurrent_bounded_queue(concurrent_bounded_queue&& other, const Allocator& allocator)
      : Base(std::move(other), allocator) {}

  /// Throws user_abort if abort() was called while it waited.
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    std::unique_lock lock(mutex_);
    wait(lock, not_full_, adders_, [this] { return !is_full(); });
    add(std::forward<Arguments>(arguments)...);
  }

  bool try_push(const T& value) { return try_emplace(value); }
  bool try_push(T&& value) { return try_emplace(std::move(value)); }
  template <class... Arguments>
  bool try_emplace(Arguments&&... arguments) {
    const std::lock_guard lock(mutex_);
    if (is_full()) return false;
    add(std::forward<Arguments>(arguments)...);
    return true;
  }

  /// Throws user_abort if abort() was called while it waited.
  void pop(T& result) {
    std::unique_lock lock(mutex_);
    wait(lock, not_empty_, takers_, [this] { return this->items_.size() > 0; });
    take(result, lock);
  }
  bool try_pop(T& result) {
    std::unique_lock lock(mutex_);
    return take(result, lock);
  }

  /// Sends all threads away that wait now.
  void abort() {
    const std::lock_guard lock(mutex_);
    ++aborts_;
    not_full_.notify_all();
    not_empty_.notify_all();
  }

  /// Below zero: so many threads wait for items.
  std::ptrdiff_t size() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::ptrdiff_t>(this->items_.size()) + adders_ - takers_;
  }

  [[nodiscard]] bool empty() const { return size() <= 0; }

  /// Of items; a negative one is none.
  void set_capacity(std::ptrdiff_t capacity) {
    const std::lock_guard lock(mutex_);
    capacity_ = capacity < 0 ? kAny : capacity;
    not_full_.notify_all();
  }
  std::ptrdiff_t capacity() const {
    const std::lock_guard lock(mutex_);
    return capacity_;
  }

 private:
  static constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max();

  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
            std::ptrdiff_t& waiters, Ready ready) {
    if (ready()) return;
    const std::size_t aborts = aborts_;
    ++waiters;
    changed.wait(lock, [&] { return ready() || aborts_ != aborts; });
    --waiters;
    if (aborts_ != aborts) {
      if (ready()) changed.notify_one();  // this one may have been woken in another's place
      throw user_abort();
    }
  }

  bool is_full() const { return static_cast<std::ptrdiff_t>(this->items_.size()) >= capacity_; }

  template <class... Arguments>
  void add(Arguments&&... arguments) {
    try {
      this->items_.add(std::forward<Arguments>(arguments)...);
    } catch (...) {
      if (adders_ > 0) not_full_.notify_one();  // the room that this one was woken for is left
      throw;
    }
    if (takers_ > 0) not_empty_.notify_one();
  }

  bool take(T& result, std::unique_lock<std::mutex>& lock) {
    return Base::take(result, lock, [this] {
      if (adders_ > 0) not_full_.notify_one();
    });
  }

  mutable std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::ptrdiff_t adders_ = 0;  // that wait
  std::ptrdiff_t takers_ = 0;
  std::size_t aborts_ = 0;
  std::ptrdiff_t capacity_ = kAny;
};

template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_queue(I, I, A = A()) -> concurrent_queue<detail::ValueAt<I>, A>;
template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_bounded_queue(I, I, A = A()) -> concurrent_bounded_queue<detail::ValueAt<I>, A>;

}  // namespace tbb
