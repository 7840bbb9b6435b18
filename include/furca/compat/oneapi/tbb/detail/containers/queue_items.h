// The items of a queue, for one thread that adds and one that takes at a time.
#pragma once

#include "common.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// Items in blocks that are linked.
/// Checked by: tests/compat/containers_test.cpp ("queue: what several threads add several take, in
/// order"), by ThreadSanitizer
///
/// One thread at a time may add, and another one may take. What they share is how many have been
/// added, and with a release of that all that was written before.
///
/// Invariants:
/// - items [taken_, added_) are alive; item i lies at i % kItems in its block;
/// - first_ is the block of the item that was taken last, or of item 0; who adds writes it once.
template <class T, class Allocator>
class QueueItems {
  static constexpr std::size_t kItems = std::clamp<std::size_t>(1024 / sizeof(T), 4, 64);

  struct Block {
    T* item(std::size_t i) noexcept { return reinterpret_cast<T*>(bytes) + i % kItems; }

    Block* next = nullptr;
    alignas(T) std::byte bytes[kItems * sizeof(T)];
  };
  using Blocks = Rebound<Allocator, Block>;
  using Traits = std::allocator_traits<Allocator>;

 public:
  explicit QueueItems(const Allocator& allocator) : allocator_(allocator) {}
  QueueItems(const QueueItems&) = delete;
  QueueItems& operator=(const QueueItems&) = delete;
  ~QueueItems() { clear(); }

  Allocator& allocator() noexcept { return allocator_; }

  /// Who adds: throws what the item's constructor and the allocator throw, and nothing is added.
  template <class... Arguments>
  void add(Arguments&&... arguments) {
    const std::size_t i = added_.load(std::memory_order_relaxed);
    if (i == room_) add_block();
    Traits::construct(allocator_, last_->item(i), std::forward<Arguments>(arguments)...);
    added_.store(i + 1, std::memory_order_release);  // [queue.A1] pairs with A2
  }

  /// Who takes: calls f(the item), or false, there is none. An exception of f leaves the item out.
  template <class F>
  bool take(const F& f) {
    const std::size_t i = taken_.load(std::memory_order_relaxed);
    if (i == added_.load(std::memory_order_acquire)) return false;  // [queue.A2]
    const Taken taken{*this, i};
    f(std::move(*taken.item()));
    return true;
  }

  /// Anybody: those that have been added and not taken, as it was a moment ago.
  std::size_t size() const noexcept {
    const std::size_t taken = taken_.load(std::memory_order_relaxed);
    return added_.load(std::memory_order_relaxed) - taken;
  }

  /// A thread that is alone.
  void clear() noexcept {
    while (size() > 0) const Taken taken{*this, taken_.load(std::memory_order_relaxed)};
    while (first_ != nullptr) free(std::exchange(first_, first_->next));  // the last may be unused
    last_ = nullptr;
    room_ = 0;
    added_.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
  }

  void swap(QueueItems& other) noexcept {
    swap_alone(added_, other.added_);
    swap_alone(taken_, other.taken_);
    std::swap(room_, other.room_);
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
  }

  /// Goes through the items while nobody adds or takes.
  template <class Value>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    Iterator() = default;
    Iterator(Block* block, std::size_t at, std::size_t end)
        : block_(at == end ? nullptr : block), at_(at), end_(end) {}
    template <class Other>
      requires std::is_same_v<const Other, Value>
    Iterator(const Iterator<Other>& other)  // NOLINT: as any const_iterator
        : block_(other.block_), at_(other.at_), end_(other.end_) {}

    reference operator*() const { return *block_->item(at_); }
    pointer operator->() const { return block_->item(at_); }
    Iterator& operator++() {
      if (++at_ % kItems == 0) block_ = block_->next;
      if (at_ == end_) block_ = nullptr;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    template <class Other>
    bool operator==(const Iterator<Other>& other) const {
      return block_ == other.block_ && (block_ == nullptr || at_ == other.at_);
    }

   private:
    template <class>
    friend class Iterator;

    Block* block_ = nullptr;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
  };

  template <class Value>
  Iterator<Value> begin() const {
    const std::size_t at = taken_.load(std::memory_order_relaxed);
    const std::size_t end = added_.load(std::memory_order_relaxed);
    return {at != end && begins_next(at) ? first_->next : first_, at, end};
  }

 private:
  static bool begins_next(std::size_t i) noexcept { return i > 0 && i % kItems == 0; }

  /// An item that is taken, to the end of the block.
  class Taken {
   public:
    Taken(QueueItems& items, std::size_t i) : items_(items), i_(i) {
      if (begins_next(i)) items.free(std::exchange(items.first_, items.first_->next));
    }
    ~Taken() {
      Traits::destroy(items_.allocator_, item());
      items_.taken_.store(i_ + 1, std::memory_order_relaxed);
    }
    T* item() const noexcept { return items_.first_->item(i_); }

   private:
    QueueItems& items_;
    const std::size_t i_;
  };

  void add_block() {
    Blocks blocks(allocator_);
    Block* const block = std::allocator_traits<Blocks>::allocate(blocks, 1);
    ::new (static_cast<void*>(block)) Block;
    (last_ != nullptr ? last_->next : first_) = block;
    last_ = block;
    room_ += kItems;
  }

  void free(Block* block) noexcept {
    Blocks blocks(allocator_);
    std::allocator_traits<Blocks>::deallocate(blocks, block, 1);
  }

  FURCA_NO_UNIQUE_ADDRESS Allocator allocator_;
  Block* first_ = nullptr;  // who takes
  std::atomic<std::size_t> taken_{0};
  alignas(furca::detail::kCacheLine) Block* last_ = nullptr;  // who adds
  std::size_t room_ = 0;  // for items below this number there are blocks
  std::atomic<std::size_t> added_{0};
};

}  // namespace tbb::detail
