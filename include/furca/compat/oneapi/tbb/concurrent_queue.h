// tbb::concurrent_queue and concurrent_bounded_queue: first in, first out.
// Checked by: tests/compat/containers_test.cpp ("queue: what several threads add several take, in
// order"), by ThreadSanitizer
#pragma once

#include "cache_aligned_allocator.h"
#include "detail/containers/common.h"
#include "detail/containers/queue_base.h"
#include "detail/exceptions.h"
#include "spin_mutex.h"

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <utility>

namespace tbb {

namespace detail {

/// What is locked to add and to take, and who waits for what.
/// @{
struct QueueLocks {
  alignas(furca::detail::kCacheLine) SpinningMutex adding;
  alignas(furca::detail::kCacheLine) SpinningMutex taking;
};

struct BoundedQueueLocks {
  static constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max();

  std::mutex mutex;
  std::condition_variable not_full;
  std::condition_variable not_empty;
  std::ptrdiff_t adders = 0;  // that wait
  std::ptrdiff_t takers = 0;
  std::size_t aborts = 0;
  std::ptrdiff_t capacity = kAny;
};
/// @}

}  // namespace detail

/// As oneTBB's. Threads may add and take at once: one that adds waits for another one that does,
/// and likewise those that take. An exception of an item's constructor adds nothing; one of the
/// assignment in try_pop() loses the item.
template <class T, class Allocator = cache_aligned_allocator<T>>
class concurrent_queue : public detail::Queue<concurrent_queue<T, Allocator>, T, Allocator,
                                              std::size_t, detail::QueueLocks> {
  using Base = detail::Queue<concurrent_queue, T, Allocator, std::size_t, detail::QueueLocks>;

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
    auto& shared = this->shared();
    const std::lock_guard lock(shared.adding);
    shared.items.add(std::forward<Arguments>(arguments)...);
  }

  /// False: there is nothing, at some time during the call.
  bool try_pop(T& result) {
    auto* const shared = this->if_shared();
    if (shared == nullptr) return false;
    std::unique_lock lock(shared->taking);
    return this->take(*shared, result, lock, [] {});
  }

  std::size_t unsafe_size() const {
    const auto* const shared = this->if_shared();
    return shared == nullptr ? 0 : shared->items.size();
  }
};

/// As oneTBB's: push() waits while the queue is full, and pop() while it is empty. A thread that
/// waits sleeps, and does nothing else meanwhile.
template <class T, class Allocator = cache_aligned_allocator<T>>
class concurrent_bounded_queue
    : public detail::Queue<concurrent_bounded_queue<T, Allocator>, T, Allocator, std::ptrdiff_t,
                           detail::BoundedQueueLocks> {
  using Locks = detail::BoundedQueueLocks;
  using Base = detail::Queue<concurrent_bounded_queue, T, Allocator, std::ptrdiff_t, Locks>;
  using Shared = typename Base::Shared;

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
    Shared& shared = this->shared();
    std::unique_lock lock(shared.mutex);
    wait(shared, lock, shared.not_full, shared.adders, [&shared] { return !is_full(shared); });
    add(shared, std::forward<Arguments>(arguments)...);
  }

  bool try_push(const T& value) { return try_emplace(value); }
  bool try_push(T&& value) { return try_emplace(std::move(value)); }
  template <class... Arguments>
  bool try_emplace(Arguments&&... arguments) {
    Shared& shared = this->shared();
    const std::lock_guard lock(shared.mutex);
    if (is_full(shared)) return false;
    add(shared, std::forward<Arguments>(arguments)...);
    return true;
  }

  /// Throws user_abort if abort() was called while it waited.
  void pop(T& result) {
    Shared& shared = this->shared();
    std::unique_lock lock(shared.mutex);
    wait(shared, lock, shared.not_empty, shared.takers,
         [&shared] { return shared.items.size() > 0; });
    take(shared, result, lock);
  }
  bool try_pop(T& result) {
    Shared* const shared = this->if_shared();
    if (shared == nullptr) return false;
    std::unique_lock lock(shared->mutex);
    return take(*shared, result, lock);
  }

  /// Sends all threads away that wait now.
  void abort() {
    Shared* const shared = this->if_shared();
    if (shared == nullptr) return;
    const std::lock_guard lock(shared->mutex);
    ++shared->aborts;
    shared->not_full.notify_all();
    shared->not_empty.notify_all();
  }

  /// Below zero: so many threads wait for items.
  std::ptrdiff_t size() const {
    Shared* const shared = this->if_shared();
    if (shared == nullptr) return 0;
    const std::lock_guard lock(shared->mutex);
    return static_cast<std::ptrdiff_t>(shared->items.size()) + shared->adders - shared->takers;
  }

  [[nodiscard]] bool empty() const { return size() <= 0; }

  /// Of items; a negative one is none.
  void set_capacity(std::ptrdiff_t capacity) {
    Shared& shared = this->shared();
    const std::lock_guard lock(shared.mutex);
    shared.capacity = capacity < 0 ? Locks::kAny : capacity;
    shared.not_full.notify_all();
  }
  std::ptrdiff_t capacity() const {
    Shared* const shared = this->if_shared();
    if (shared == nullptr) return Locks::kAny;
    const std::lock_guard lock(shared->mutex);
    return shared->capacity;
  }

 private:
  template <class Ready>
  static void wait(Shared& shared, std::unique_lock<std::mutex>& lock,
                   std::condition_variable& changed, std::ptrdiff_t& waiters, Ready ready) {
    if (ready()) return;
    const std::size_t aborts = shared.aborts;
    ++waiters;
    changed.wait(lock, [&] { return ready() || shared.aborts != aborts; });
    --waiters;
    if (shared.aborts != aborts) {
      if (ready()) changed.notify_one();  // this one may have been woken in another's place
      throw user_abort();
    }
  }

  static bool is_full(const Shared& shared) {
    return static_cast<std::ptrdiff_t>(shared.items.size()) >= shared.capacity;
  }

  template <class... Arguments>
  static void add(Shared& shared, Arguments&&... arguments) {
    try {
      shared.items.add(std::forward<Arguments>(arguments)...);
    } catch (...) {
      // the room that this one was woken for is left
      if (shared.adders > 0) shared.not_full.notify_one();
      throw;
    }
    if (shared.takers > 0) shared.not_empty.notify_one();
  }

  static bool take(Shared& shared, T& result, std::unique_lock<std::mutex>& lock) {
    return Base::take(shared, result, lock, [&shared] {
      if (shared.adders > 0) shared.not_full.notify_one();
    });
  }
};

template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_queue(I, I, A = A()) -> concurrent_queue<detail::ValueAt<I>, A>;
template <detail::InputIterator I,
          detail::AllocatorLike A = cache_aligned_allocator<detail::ValueAt<I>>>
concurrent_bounded_queue(I, I, A = A()) -> concurrent_bounded_queue<detail::ValueAt<I>, A>;

}  // namespace tbb
