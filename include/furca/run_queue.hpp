// The run queue: a bounded FIFO. Its owner pushes and pops; other threads steal half of it at a
// time.
//
// After the local queues of Go's scheduler (R. Cox and D. Vyukov) and of Tokio's (C. Lerche,
// "Making the Tokio scheduler 10x faster", 2019). Owner and thieves synchronise on one word, in
// which a thief claims the items that it copies until it has copied them.
#pragma once

#include <furca/deque.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/mistakes/mistakes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace furca {

/// A bounded FIFO queue of small items (pointers, indices). Other threads steal half of it.
///
/// Thread-safety: push and pop are for the owner, one thread at a time. Any thread may call empty
/// and size, and steal_half_into with a queue that it owns.
/// Complexity: push and pop O(1), a push into a full queue O(Capacity), steal_half_into O(stolen
/// items). Lock-free.
/// Memory: Capacity slots in the object, and half as many on the stack when it overflows. It never
/// allocates. With Capacity = std::dynamic_extent the constructor takes the capacity, and allocates
/// both once.
/// Order: first in, first out, for the owner and for thieves. A thief steals the older half.
///
/// Items have the indices `real` .. `tail`, modulo 2^32. A thief is copying those from `stolen` to
/// `real`. One word holds both heads:
///
///   tail_  32 bits, written by the owner alone        stolen <= real <= tail <= stolen + Capacity
///   head_  stolen << 32 | real                        stolen == real: no thief is at it
///
/// owner push                                   thief steals n of the victim's
///   [run_queue.D1] head_: room? *       acquire  [run_queue.H1] head_: stolen == real?    acquire
///   [run_queue.D2] slot = item          relaxed  [run_queue.H2] tail_: n = half of them   acquire
///   [run_queue.D3] tail_ + 1            release  [run_queue.H3] CAS head_: real + n       relaxed
/// owner pop                                      [run_queue.H4] copy n slots              relaxed
///   [run_queue.O1] CAS head_: real + 1  release  [run_queue.H5] CAS head_: stolen = real  release
///   (no thief at it: stolen + 1 too)             [run_queue.H6] the copies' tail_         release
/// D3 to H2 publishes the slots and what the items point to. O1 and H5 to H1: a thread that sees
/// indices taken also sees what was pushed before them, so a queue that seems empty was empty. H5
/// to D1: a slot is reused only after its item has been copied. H3 is a read-modify-write, so it
/// continues O1's release sequence; its own claim is visible as long as it lasts.
/// * Room that was seen once is not lost: the owner looks again when it has used it.
///
/// push into a full queue: half of it goes to the overflow sink in one batch, after [run_queue.D4]
/// CAS head_: both heads + Capacity / 2, as if popped.
/// If a thief is copying there will be room soon, but waiting for it would be a lock, so only the
/// new item goes to the sink.
///
/// ABA: indices have 32 bits. If a thief is stopped between H1 and H3 while the owner takes an
/// exact multiple of 2^32 items, the thief applies the count of H2 to newer items, of which there
/// may be fewer. At 2 ns an item it would have to be stopped for a multiple of 8.6 s, exact to one
/// item.
/// Checked by: tests/model/programs/run_queue_programs.hpp
template <DequeItem T, std::size_t Capacity = 256, class A = detail::Atomics>
class RunQueue {
  static constexpr bool kDynamic = Capacity == std::dynamic_extent;
  static constexpr bool possible(std::size_t capacity) noexcept {
    return std::has_single_bit(capacity) && capacity >= 2 && capacity <= 65'536;
  }
  static_assert(kDynamic || possible(Capacity),
                "furca: RunQueue: Capacity is a power of two, from 2 to 65,536");

 public:
  /// The position of an item, modulo 2^32.
  using Index = std::uint32_t;

  /// An empty queue. Indices begin at `start`, which no program needs to choose.
  explicit RunQueue(Index start = 0) noexcept
    requires(!kDynamic)
      : head_(both(start, start)), tail_(start), limit_(start) {}

  /// An empty queue with `capacity` slots. Throws std::invalid_argument unless that is a power of
  /// two, from 2 to 65,536; std::bad_alloc.
  explicit RunQueue(std::size_t capacity, Index start = 0)
    requires kDynamic
      : head_(both(start, start)), tail_(start), limit_(start) {
    if (!possible(capacity))
      throw std::invalid_argument(
          "furca: the capacity of a run queue is a power of two, from 2 to 65,536; not " +
          std::to_string(capacity));
    mask_ = capacity - 1;
    slots_ = detail::Owner<Atomic<T>[]>(new Atomic<T>[capacity]);
    batch_ = detail::Owner<T[]>(new T[capacity / 2 + 1]);
  }

  /// The maximum number of items.
  std::size_t capacity() const noexcept {
    if constexpr (kDynamic) {
      return mask_ + 1;
    } else {
      return Capacity;
    }
  }

  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  /// Owner: adds an item at the end. If there is no room, calls `overflow(std::span<const T>)` with
  /// the items that must go elsewhere, oldest first: the older half of the queue and then `item`,
  /// or `item` alone. If `overflow` throws, the exception is passed on and these items are lost.
  template <class Overflow>
  void push(T item, Overflow&& overflow) {
    const Index tail = tail_.load(std::memory_order_relaxed);
    if (tail == limit_ && !make_room(tail, item, overflow)) [[unlikely]]
      return;
    slot(tail).store(item, std::memory_order_relaxed);  // [run_queue.D2]
    // [run_queue.D3] pairs with H2
    tail_.store(tail + 1, std::memory_order_release);
  }

  /// Owner: takes the oldest item, if there is one.
  std::optional<T> pop() noexcept {
    T item;
    if (!pop(item)) return std::nullopt;
    return item;
  }

  /// Owner: the same, into `item`; false, and `item` unchanged: there is none.
  bool pop(T& item) noexcept {
    const Index tail = tail_.load(std::memory_order_relaxed);
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    for (;;) {
      const Index first = real(head);
      if (first == tail) return false;
      const bool with_thief = stolen(head) != first;
      const std::uint64_t next = both(with_thief ? stolen(head) : first + 1, first + 1);
      // [run_queue.O1] pairs with H1
      if (head_.compare_exchange_weak(head, next, std::memory_order_release,
                                      std::memory_order_relaxed)) {
        item = slot(first).load(std::memory_order_relaxed);
        return true;
      }
    }
  }

  /// The owner of `other`: moves the older half of this queue, rounded up, to `other`: at most what
  /// `other` has room for, and at most Capacity / 2.
  /// The oldest item is returned, for the caller to run, and is not put into `other`. retry:
  /// another thief was faster, or is still copying.
  Steal<T> steal_half_into(RunQueue& other) noexcept {
    // [run_queue.H1] pairs with O1 D4 H5
    std::uint64_t head = head_.load(std::memory_order_acquire);
    if (stolen(head) != real(head)) return {StealStatus::retry, T{}};
    const Index first = real(head);
    // [run_queue.H2] pairs with D3 H6
    const Index lying = tail_.load(std::memory_order_acquire) - first;
    if (lying == 0) return {};
    const Index count = std::min((lying + 1) / 2, other.room() + 1);
    // [run_queue.H3]
    if (!head_.compare_exchange_strong(head, both(first, first + count), std::memory_order_relaxed,
                                       std::memory_order_relaxed))
      return {StealStatus::retry, T{}};

    const T oldest = slot(first).load(std::memory_order_relaxed);  // [run_queue.H4]
    const Index end = other.tail_.load(std::memory_order_relaxed);
    for (Index i = 1; i < count; ++i)
      other.slot(end + i - 1)
          .store(slot(first + i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    head = both(first, first + count);
    // [run_queue.H5] pairs with D1 H1
    while (!head_.compare_exchange_weak(head, both(real(head), real(head)),
                                        std::memory_order_release, std::memory_order_relaxed)) {
    }
    // [run_queue.H6] pairs with H2
    if (count > 1) other.tail_.store(end + count - 1, std::memory_order_release);
    return {StealStatus::success, oldest};
  }

  /// Any thread: an estimate, exact while no other thread uses the queue.
  bool empty() const noexcept { return size() == 0; }

  /// Any thread: the number of items that can be taken; an estimate, exact while no other thread
  /// uses the queue.
  std::size_t size() const noexcept {
    const Index first = real(head_.load(std::memory_order_relaxed));
    const auto lying = static_cast<std::int32_t>(tail_.load(std::memory_order_relaxed) - first);
    return lying > 0 ? static_cast<std::size_t>(lying) : 0;
  }

 private:
  template <class U>
  using Atomic = typename A::template Atomic<U>;

  static constexpr std::uint64_t both(Index stolen, Index real) noexcept {
    return std::uint64_t{stolen} << 32U | real;
  }
  static constexpr Index stolen(std::uint64_t head) noexcept {
    return static_cast<Index>(head >> 32U);
  }
  static constexpr Index real(std::uint64_t head) noexcept { return static_cast<Index>(head); }

  Atomic<T>& slot(Index i) noexcept { return slots_[i & (capacity() - 1)]; }

  /// Owner: the limit was reached. Items have been taken since; or, false, the queue is full, and
  /// `item` went elsewhere.
  template <class Overflow>
  FURCA_COLD bool make_room(Index tail, T item, Overflow& overflow) {
    // [run_queue.D1] pairs with H5
    std::uint64_t head = head_.load(std::memory_order_acquire);
    while (tail - stolen(head) >= capacity()) {
      if (stolen(head) != real(head)) {
        overflow(std::span<const T>(__builtin_addressof(item), 1));
        return false;
      }
      const Index half = real(head) + static_cast<Index>(capacity() / 2);
      // [run_queue.D4], on failure [run_queue.D5] pairs with H5
      if (head_.compare_exchange_weak(head, both(half, half), std::memory_order_release,
                                      std::memory_order_acquire)) {
        overflow_half(half, item, overflow);
        return false;
      }
    }
    limit_ = stolen(head) + static_cast<Index>(capacity());
    return true;
  }

  /// Owner: how many items fit, of what steal_half_into could bring.
  Index room() noexcept {
    // [run_queue.D1] pairs with H5
    limit_ = stolen(head_.load(std::memory_order_acquire)) + static_cast<Index>(capacity());
    return limit_ - tail_.load(std::memory_order_relaxed);
  }

  /// Owner: the items before `end`, half of the queue, are ours alone.
  template <class Overflow>
  void overflow_half(Index end, T item, Overflow&& overflow) {
    if constexpr (kDynamic) {
      overflow_batch(batch_.get(), end, item, overflow);
    } else {
      std::array<T, Capacity / 2 + 1> batch;
      overflow_batch(batch.data(), end, item, overflow);
    }
  }

  template <class Overflow>
  void overflow_batch(T* batch, Index end, T item, Overflow& overflow) {
    const std::size_t half = capacity() / 2;
    for (std::size_t i = 0; i < half; ++i)
      batch[i] = slot(end - static_cast<Index>(half - i)).load(std::memory_order_relaxed);
    batch[half] = item;
    overflow(std::span<const T>(batch, half + 1));
  }

  alignas(detail::kCacheLine) Atomic<std::uint64_t> head_;
  alignas(detail::kCacheLine) Atomic<Index> tail_;
  // push may use indices below it: a `stolen` once seen + capacity, and never below tail_
  Index limit_;
  using Slots = std::conditional_t<kDynamic, detail::Owner<Atomic<T>[]>,
                                   std::array<Atomic<T>, kDynamic ? 1 : Capacity>>;
  Slots slots_;
  struct None {};
  FURCA_NO_UNIQUE_ADDRESS std::conditional_t<kDynamic, std::size_t, None> mask_{};
  FURCA_NO_UNIQUE_ADDRESS std::conditional_t<kDynamic, detail::Owner<T[]>, None> batch_{};
};

}  // namespace furca
