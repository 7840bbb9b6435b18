// What concurrent_queue and concurrent_bounded_queue have in common.
// Checked by: tests/compat/containers_test.cpp ("queue: what several threads add several take, in
// order"), by ThreadSanitizer
#pragma once

#include "common.h"
#include "queue_items.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// What both queues are for a thread that is alone. An empty queue is small: its items and locks,
/// which lie on lines of their own, come with the first element.
template <class Self, class T, class Allocator, class Size, class Locks>
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

  explicit Queue(const Allocator& allocator) : allocator_(allocator) {}
  template <InputIterator I>
  Queue(I first, I last, const Allocator& allocator) : Queue(allocator) {
    for (; first != last; ++first) shared().items.add(*first);
  }
  Queue(const Queue& other)
      : Queue(other, Traits::select_on_container_copy_construction(other.get_allocator())) {}
  Queue(const Queue& other, const Allocator& allocator)
      : Queue(other.unsafe_begin(), other.unsafe_end(), allocator) {}
  Queue(Queue&& other) : Queue(Allocator(std::move(other.allocator_))) { take_items(other); }
  Queue(Queue&& other, const Allocator& allocator) : Queue(allocator) {
    if (allocator == other.allocator_) {
      take_items(other);
    } else {
      for (T& item : other) shared().items.add(std::move(item));
      other.clear();
    }
  }
  ~Queue() { delete if_shared(); }
  Queue& operator=(const Queue&) = delete;

  void push(const T& value) { self().emplace(value); }
  void push(T&& value) { self().emplace(std::move(value)); }

  void clear() {
    if (Shared* const shared = if_shared()) shared->items.clear();
  }
  allocator_type get_allocator() const { return allocator_; }
  [[nodiscard]] bool empty() const {
    const Shared* const shared = if_shared();
    return shared == nullptr || shared->items.size() == 0;
  }

  /// For a time when nobody adds or takes.
  /// @{
  iterator unsafe_begin() { return begin_of<T>(); }
  iterator unsafe_end() { return {}; }
  const_iterator unsafe_begin() const { return begin_of<const T>(); }
  const_iterator unsafe_end() const { return {}; }
  const_iterator unsafe_cbegin() const { return unsafe_begin(); }
  const_iterator unsafe_cend() const { return {}; }
  /// @}

 protected:
  struct Shared : Locks {
    explicit Shared(const Allocator& allocator) : items(allocator) {}
    QueueItems<T, Allocator> items;
  };

  Self& self() noexcept { return static_cast<Self&>(*this); }

  Shared* if_shared() const noexcept {
    return shared_.load(std::memory_order_acquire);  // [queue.S2]
  }
  Shared& shared() {
    Shared* const there = if_shared();
    return there != nullptr ? *there : make_shared();
  }

  /// Takes under `lock`, and calls `taken` under it then, also if something throws. An item whose
  /// move does not throw is assigned without the lock, since what it replaces may use the queue.
  template <class Lock, class Taken>
  static bool take(Shared& shared, T& result, Lock& lock, const Taken& taken) {
    const auto take_to = [&](const auto& f) {
      const std::unique_ptr<const Taken, void (*)(const Taken*)> at_the_end(
          &taken, [](const Taken* call) { (*call)(); });
      return shared.items.take(f);
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

 private:
  FURCA_NOINLINE Shared& make_shared() {
    auto made = std::make_unique<Shared>(allocator_);
    Shared* none = nullptr;
    // [queue.S1] pairs with S2
    if (shared_.compare_exchange_strong(none, made.get(), std::memory_order_release,
                                        std::memory_order_relaxed))
      return *made.release();
    return *if_shared();
  }

  void take_items(Queue& other) {
    if (Shared* const theirs = other.if_shared()) shared().items.swap(theirs->items);
  }

  template <class Value>
  auto begin_of() const {
    const Shared* const shared = if_shared();
    using Begin = decltype(shared->items.template begin<Value>());
    return shared != nullptr ? shared->items.template begin<Value>() : Begin();
  }

  iterator begin() { return unsafe_begin(); }
  iterator end() { return {}; }

  FURCA_NO_UNIQUE_ADDRESS Allocator allocator_;
  std::atomic<Shared*> shared_{nullptr};
};

}  // namespace tbb::detail
