// The work-stealing deque: its owner pushes and pops at the bottom, other threads steal at the top.
//
// Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005; memory orders after Le, Pop,
// Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP
// 2013. Two changes: their growth bug is fixed, and items are published by a release store instead
// of a release fence, because ThreadSanitizer does not understand that fence.
#pragma once

#include <furca/detail/base/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/base/memory.hpp>
#include <furca/detail/mistakes/sentences.hpp>
#include <furca/fence.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>

namespace furca {

/// The outcome of a steal.
/// @snippet deque.cpp StealStatus
enum class StealStatus : std::uint8_t {
  empty,    ///< the queue was empty
  retry,    ///< another thread was faster; there may be more items
  success,  ///< `item` belongs to the caller
};

/// The result of a steal; converts to true if there is an item.
/// @snippet deque.cpp Steal
template <class T>
struct Steal {
  /// Whether there is an item, and whether another try makes sense.
  StealStatus status = StealStatus::empty;
  T item{};  ///< meaningful only if status is success

  /// Whether there is an item.
  explicit operator bool() const noexcept { return status == StealStatus::success; }
};

/// An item of a Deque or a RunQueue: a pointer, an index, anything that std::atomic reads and
/// writes without a lock.
/// @snippet deque.cpp DequeItem
template <class T>
concept DequeItem = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                    std::atomic<T>::is_always_lock_free;

template <DequeItem T, class Fence>
class Stealer;

/// A growable work-stealing deque of small items (pointers, indices).
///
/// Thread-safety: push, offer, pop, take, take_newest, end, skip_index, capacity are for the owner,
/// one thread at a time. Any thread may call the rest.
/// Complexity: O(1), push amortised. Stealing is lock-free; the owner's operations are wait-free
/// unless the deque grows.
/// Memory: 8 bytes a slot. Outgrown rings are kept until the deque is destroyed; together they are
/// never larger than the current one.
///
/// owner pop                            thief steal
///   [deque.P1] bottom_ = b      release  [deque.T1] t = top_      relaxed
///   [deque.P2] fence                     [deque.T2] fence         seq_cst
///   [deque.P3] t = top_         relaxed  [deque.T3] b = bottom_   acquire
///   [deque.P4] CAS top_ if last relaxed  [deque.T4] CAS top_      release
/// P2 first: T3 reads the lowered bottom_, so the thief leaves slot b alone.
/// T2 first: P3 reads a top_ no older than T1 did, so the owner sees the race and settles it at
/// P4/T4.
/// Checked by: tests/model/programs/deque_programs.hpp ("the last two items", "pops and pushes in
/// turn")
///
/// owner push                           thief steal
///   [deque.U1] slot = item      relaxed  [deque.T3] b = bottom_   acquire
///   [deque.U2] bottom_ = b + 1  release  [deque.T5] ring_, slot   acquire, relaxed
/// U2 publishes the slot and what the item points to. P1 is a release store too: a thief may read
/// P1's value instead of U2's, and since C++20 P1 does not continue U2's release sequence. A thief
/// reads the slot before its CAS succeeds; the CAS releases, and
/// U3, which reads top_ before the slot is used again, acquires.
/// Checked by: tests/model/programs/deque_programs.hpp ("growing twice", "the only slot again")
///
/// Indices are 64-bit, signed, and only grow (the first pop looks at -1). No index is used twice,
/// so there is no ABA problem.
/// @snippet deque.cpp Deque
template <DequeItem T, class Fence = SeqCstFence>
class Deque {
  using Atomics = typename Fence::Atomics;

 public:
  /// The position of an item: the first item has `start`, each next one a number higher.
  using Index = std::int64_t;

  /// An empty deque with room for `capacity` items, rounded up to a power of two. Indices begin at
  /// `start`, which is 0 or more and which no program needs to choose. Throws std::bad_alloc.
  explicit Deque(std::size_t capacity = 64, Index start = 0)
      : bottom_(start), limit_(start), top_(start) {
    if (capacity > SIZE_MAX / 2) throw std::bad_alloc();  // no power of two above it
    use(new Ring(std::bit_ceil(capacity > 0 ? capacity : 1)), start);
  }

  ~Deque() {
    for (Ring* ring = ring_.load(std::memory_order_relaxed); ring != nullptr;) {
      const detail::Owner<Ring> dead(ring);
      ring = dead->older;
    }
  }

  Deque(const Deque&) = delete;
  Deque& operator=(const Deque&) = delete;

  /// Owner: adds an item at the bottom. Throws std::bad_alloc if the deque cannot grow; it is
  /// unchanged then.
  void push(T item) {
    check_owner();
    if (offer(item) == kNotPublished) throw std::bad_alloc();
  }

  /// What offer returns where push would throw.
  static constexpr Index kNotPublished = -1;  // no index is negative

  /// Owner: pushes an item and returns its index, for a later take(). Where push would throw,
  /// publishes nothing and returns kNotPublished;
  /// take() accepts that as an item that no thief can get. Without assertions in any build: every
  /// fork comes here, in the user's program, which may be a release build with assertions.
  FURCA_INLINE Index offer(T item) noexcept {
    const Index b = bottom_.load(std::memory_order_relaxed);
    if (!has_room(b)) [[unlikely]]
      return kNotPublished;
    own_slot(b).store(item, std::memory_order_relaxed);  // [deque.U1]
    // [deque.U2] pairs with T3
    bottom_.store(b + 1, std::memory_order_release);
    return b;
  }

  /// Owner: thieves are likely to come for what is pushed next, and the owner pops seldom. With an
  /// AdaptiveFence the next thief then need not wait.
  void expect_thieves() noexcept { fence_.expect(); }

  /// Owner: takes the newest item, if there is one.
  std::optional<T> pop() noexcept {
    check_owner();
    const Index b = bottom_.load(std::memory_order_relaxed) - 1;
    if (!take_newest(b)) return std::nullopt;
    return own_slot(b).load(std::memory_order_relaxed);
  }

  /// Owner: pops the newest item, whose index `b` the caller knows; it and those above it may have
  /// been stolen. Returns false if it was stolen: then the deque is empty.
  FURCA_INLINE bool take(Index b) noexcept {
    if (b < 0) [[unlikely]]
      return true;  // kNotPublished
    check_owner();
    assert(b < bottom_.load(std::memory_order_relaxed));
    return take_newest(b);
  }

  /// Owner: as take, for an index `b` that is end() - 1.
  FURCA_INLINE bool take_newest(Index b) noexcept {
    bottom_.store(b, std::memory_order_release);           // [deque.P1] pairs with T3
    fence_.before_look();                                  // [deque.P2] pairs with T2
    const Index t = top_.load(std::memory_order_relaxed);  // [deque.P3]
    if (t < b) [[likely]]
      return true;
    return take_last(b, t);
  }

  /// Any thread: tries to take the oldest item.
  Steal<T> steal() noexcept {
    return steal_if([] { return true; });
  }

  /// Any thread: as steal, unless `still_wanted()` returns false. It is called between the read of
  /// `top` and the CAS, so a stolen item has an index that was the top before the answer. If a
  /// thread makes the answer false and then calls skip_index(), no steal whose still_wanted()
  /// returned true takes an item pushed later.
  /// Checked by: tests/model/programs/latch_programs.hpp ("the thief goes on to a stranger's job")
  template <class Predicate>
  Steal<T> steal_if(Predicate still_wanted) noexcept {
    if (empty()) return {};  // the cheap look: an idle thief leaves the owner's fence policy alone
    if (!fence_.enter()) return {StealStatus::retry, T{}};
    T item{};
    const Index count =
        steal_visiting(still_wanted, item, [](Ring&, Index, Index) { return Index{1}; });
    fence_.leave();
    if (count == kRetry) return {StealStatus::retry, T{}};
    return {count > 0 ? StealStatus::success : StealStatus::empty, item};
  }

  /// Owner, deque empty: skips one index; see steal_if.
  void skip_index() noexcept {
    check_owner();
    assert(empty());
    top_.fetch_add(1, std::memory_order_release);  // [deque.L4] pairs with T1
    // Release: whoever sees the new bottom sees that top has passed the slot below it. Relaxed, the
    // store might come first on a weakly ordered machine, and a thief would take what has not lain
    // in that slot for long.
    // [deque.L5] pairs with T3
    bottom_.store(bottom_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Owner: the index of the next item to be pushed.
  Index end() const noexcept { return bottom_.load(std::memory_order_relaxed); }

  /// Any thread: an estimate, exact while no other thread uses the deque.
  bool empty() const noexcept {
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }

  /// Any thread: an estimate, exact while no other thread uses the deque.
  std::size_t size() const noexcept {
    const Index count =
        bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  /// Owner: the number of items that fit before the deque grows.
  std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(ring_.load(std::memory_order_relaxed)->capacity());
  }

  /// A handle for thieves. It must not outlive the deque.
  furca::Stealer<T, Fence> stealer() noexcept { return furca::Stealer<T, Fence>(*this); }

  /// The fence policy, for its statistics.
  const Fence& fence() const noexcept { return fence_; }

  /// Lets another thread become the owner. The caller must synchronise the two.
  void hand_over() noexcept { owner_ = nullptr; }

  /// @cond
  // For detail::ChainDeque, whose thieves take several items.
 protected:
  template <class U>
  using Atomic = typename Atomics::template Atomic<U>;

  struct Ring {
    explicit Ring(std::size_t capacity) : mask(capacity - 1), slots(new Atomic<T>[capacity]) {}
    Atomic<T>& slot(Index i) noexcept { return slots[static_cast<std::size_t>(i) & mask]; }
    Index capacity() const noexcept { return static_cast<Index>(mask) + 1; }

    std::size_t mask;
    detail::Owner<Atomic<T>[]> slots;
    Ring* older = nullptr;  // a thief may still be reading there
  };

  static constexpr Index kRetry = -1;

  // Owner: there is room for an item at `b`, the end. False: no memory.
  FURCA_INLINE bool has_room(Index b) noexcept { return b < limit_ || make_room(b); }

  // Any thread, between enter() and leave() of the fence. Takes the oldest item, and as many in all
  // as `count_those(ring, t, b)` says, which reads those above it. Returns how many; or kRetry.
  template <class Predicate, class Count>
  Index steal_visiting(Predicate still_wanted, T& item, Count count_those) noexcept {
    // Acquire is for L4 alone; the steal itself needs only relaxed, since T2 follows.
    Index t = top_.load(std::memory_order_acquire);  // [deque.T1] pairs with L4
    if (!still_wanted()) return 0;
    Atomics::fence();  // [deque.T2] pairs with P2
    // [deque.T3] pairs with U2 and P1
    const Index b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return 0;
    Ring* ring = ring_.load(std::memory_order_acquire);  // [deque.T5] pairs with U4
    item = ring->slot(t).load(std::memory_order_relaxed);
    const Index count = count_those(*ring, t, b);
    // [deque.T4] pairs with U3
    return top_.compare_exchange_strong(t, t + count, std::memory_order_release,
                                        std::memory_order_relaxed)
               ? count
               : kRetry;
  }

  Atomic<T>& own_slot(Index i) noexcept { return slots_[static_cast<std::size_t>(i) & mask_]; }

  /// Owner: `t` was the top, and it is not below `b`.
  FURCA_COLD bool take_last(Index b, Index t) noexcept {
    const bool won =
        // [deque.P4]
        t == b && top_.compare_exchange_strong(t, b + 1, std::memory_order_relaxed,
                                               std::memory_order_relaxed);
    // Empty: top == bottom again, where it was if more was stolen. Release: see skip_index.
    bottom_.store(won ? b + 1 : t, std::memory_order_release);  // [deque.P5] pairs with T3
    return won;
  }

  /// Owner: the limit was reached. Either thieves have made room since, or the ring doubles. False:
  /// no memory.
  FURCA_COLD bool make_room(Index b) noexcept {
    Ring* const old = ring_.load(std::memory_order_relaxed);
    const Index t = top_.load(std::memory_order_acquire);  // [deque.U3] pairs with T4
    if (b - t >= old->capacity()) {
      Ring* bigger = nullptr;
      try {
        bigger = new Ring(2 * (old->mask + 1));
      } catch (const std::bad_alloc&) {
        return false;
      }
      for (Index i = t; i < b; ++i)
        bigger->slot(i).store(old->slot(i).load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
      bigger->older = old;
      use(bigger, t);
    } else {
      limit_ = t + old->capacity();
    }
    return true;
  }

  /// Owner: from here on items lie in `ring`, beginning with index `oldest`.
  void use(Ring* ring, Index oldest) noexcept {
    ring_.store(ring, std::memory_order_release);  // [deque.U4] pairs with T5
    slots_ = ring->slots.get();
    mask_ = ring->mask;
    limit_ = oldest + ring->capacity();
  }

  /// Catches two threads that both think they are the owner, in builds with assertions.
  void check_owner() noexcept {
#ifndef NDEBUG
    const void* const self = &errno;  // each thread has its own, the same in every shared library
    if (owner_ == nullptr) owner_ = self;
    assert(owner_ == self && "furca: Deque: push and pop belong to one thread, the owner");
#endif
  }

  // The owner's line; thieves read bottom_ and ring_.
  alignas(detail::kCacheLine) Atomic<Index> bottom_;
  Atomic<Ring*> ring_{nullptr};
  Index limit_;                 // push may use indices below it: a top once seen + capacity
  Atomic<T>* slots_ = nullptr;  // the ring's, one load nearer
  std::size_t mask_ = 0;
  const void* owner_ = nullptr;  // see check_owner

  // The thieves' line; the owner reads top_ and the fence's mode in every pop.
  alignas(detail::kCacheLine) Atomic<Index> top_;
  [[no_unique_address]] Fence fence_;
  /// @endcond
};

/// A thief's handle to a deque: copyable, and as small as a pointer. Thread-safety: any thread.
/// @snippet deque.cpp Stealer
template <DequeItem T, class Fence = SeqCstFence>
class Stealer {
 public:
  /// See Deque::stealer.
  explicit Stealer(Deque<T, Fence>& deque) noexcept : deque_(&deque) {}

  /// See Deque::steal.
  Steal<T> steal() const noexcept { return deque_->steal(); }
  /// See Deque::empty.
  bool empty() const noexcept { return deque_->empty(); }
  /// See Deque::size.
  std::size_t size() const noexcept { return deque_->size(); }

 private:
  Deque<T, Fence>* deque_;
};

}  // namespace furca
