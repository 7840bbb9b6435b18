// A work-stealing deque: its owner pushes and pops at the bottom, other threads steal at the top.
// Here is what a fork and its taking back consist of; deque_thieves.hpp has the top, and growth.
//
// Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005; memory orders after Le, Pop,
// Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP
// 2013. Two changes: their growth bug is fixed, and items are published by a release store instead
// of a release fence, because ThreadSanitizer does not understand that fence.
#pragma once

#include <furca/detail/base/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A deque of small items; the public furca::Deque says what its functions do.
///
/// owner pop                            thief steal
///   [deque.P1] bottom_ = b      release  [deque.T1] t = top_      acquire
///   [deque.P2] fence                     [deque.T2] fence         seq_cst
///   [deque.P3] t = top_         relaxed  [deque.T3] b = bottom_   acquire
///   [deque.P4] CAS top_ if last relaxed  [deque.T4] CAS top_      release
/// P2 first: T3 reads the lowered bottom_, so the thief leaves slot b alone.
/// T2 first: P3 reads a top_ no older than T1 did, so the owner sees the race and settles it at
/// P4/T4. For these relaxed would do; T1 acquires for [deque.L4] (Thief::steal_below in thief.cpp).
///
/// owner push                           thief steal
///   [deque.U1] slot = item      relaxed  [deque.T3] b = bottom_   acquire
///   [deque.U2] bottom_ = b + 1  release  [deque.T5] buffer_, slot  acquire, relaxed
/// U2 publishes the slot and what the item points to. P1 is a release store too: a thief may read
/// P1's value instead of U2's, and since C++20 P1 does not continue U2's release sequence. A thief
/// reads the slot before its CAS succeeds; the CAS releases, and U3, which reads top_ before the
/// slot is used again, acquires. T6, U6 and P6, of items that follow others: deque_thieves.hpp.
/// Checked by: tests/model/programs/deque_programs.hpp ("the last two items", "pops and pushes in
/// turn", "growing twice", "the only slot again")
///
/// Indices are 64-bit, signed, and only grow (the first pop looks at -1). No index is used twice,
/// so there is no ABA problem.
///
/// Items may say that they follow the one just below: bool follows() const. Of those a thief steals
/// several at once (steal_several), T::kMostAtOnce at most. They are pushed by offer_following()
/// and popped by pop_from().
/// A Fence has before_look(), the owner's P2, expect() before its push, a thief's enter() before T1
/// and leave() after T4, Atomics: furca/fence.hpp, which has the classic one, and its [deque.P2].
template <class T, class Fence>
class ChainDeque {
 public:
  using Index = std::int64_t;

  /// Room for `capacity` items; indices begin at `start`. Throws std::bad_alloc.
  explicit ChainDeque(std::size_t capacity, Index start = 0);
  ~ChainDeque();
  ChainDeque(const ChainDeque&) = delete;
  ChainDeque& operator=(const ChainDeque&) = delete;

  // --- the owner ---------------------------------------------------------------------------------

  static constexpr Index kNotPublished = -1;  // no index is negative

  /// Without assertions in any build: every fork comes here, in the user's program.
  FURCA_INLINE Index offer(T item) noexcept {
    const Index b = bottom_.load(std::memory_order_relaxed);
    if (!has_room(b)) [[unlikely]]
      return kNotPublished;
    own_slot(b).store(item, std::memory_order_relaxed);  // [deque.U1]
    // [deque.U2] pairs with T3
    bottom_.store(b + 1, std::memory_order_release);
    return b;
  }

  /// As offer, of an item that may follow the one below.
  FURCA_INLINE Index offer_following(T item) noexcept {
    const Index b = end();
    if (!has_room(b)) [[unlikely]]
      return kNotPublished;
    own_slot(b).store(item, std::memory_order_release);  // [deque.U6] pairs with T6
    bottom_.store(b + 1, std::memory_order_release);     // [deque.U2]
    return b;
  }

  inline bool take(Index b) noexcept;

  /// As take, for an index `b` that is end() - 1.
  FURCA_INLINE bool take_newest(Index b) noexcept {
    bottom_.store(b, std::memory_order_release);           // [deque.P1] pairs with T3
    fence_.before_look();                                  // [deque.P2] pairs with T2
    const Index t = top_.load(std::memory_order_relaxed);  // [deque.P3]
    if (t < b) [[likely]]
      return true;
    return take_last(b, t);
  }

  bool pop(T& item) noexcept;
  inline bool pop_from(Index least, T& item) noexcept;
  void skip_index() noexcept;
  void expect_thieves() noexcept { fence_.expect(); }
  Index end() const noexcept { return bottom_.load(std::memory_order_relaxed); }
  std::size_t capacity() const noexcept;
  void hand_over() noexcept { owner_ = nullptr; }

  // --- any thread --------------------------------------------------------------------------------

  /// How many were stolen, into `item` or `items`; kRetry, of steal_if: others were faster, or arm.
  template <class Predicate>
  Index steal_if(Predicate still_wanted, T& item) noexcept;
  template <class Items>
  Index steal_several(Items& items) noexcept;
  static constexpr Index kRetry = -1;

  bool empty() const noexcept {
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }
  std::size_t size() const noexcept;
  const Fence& fence() const noexcept { return fence_; }

  /// Catches two threads that both think they are the owner, in builds with assertions.
  inline void check_owner() noexcept;

 private:
  using Atomics = typename Fence::Atomics;
  template <class U>
  using Atomic = typename Atomics::template Atomic<U>;
  struct Buffer;

  Atomic<T>& own_slot(Index i) noexcept { return slots_[static_cast<std::size_t>(i) & mask_]; }

  /// Owner: there is room for an item at `b`, the end. False: no memory.
  FURCA_INLINE bool has_room(Index b) noexcept { return b < limit_ || make_room(b); }

  FURCA_API FURCA_COLD bool make_room(Index b) noexcept;
  FURCA_API FURCA_COLD bool take_last(Index b, Index t) noexcept;
  FURCA_COLD bool pop_oldest(Index b, Index t, T& item) noexcept;
  void use(Buffer* buffer, Index oldest) noexcept;
  template <class Predicate, class Count>
  Index steal_from_top(Predicate still_wanted, T& item, Count count_those) noexcept;

  // The owner's line; thieves read bottom_ and buffer_.
  alignas(kCacheLine) Atomic<Index> bottom_;
  Atomic<Buffer*> buffer_{nullptr};
  Index limit_;                 // push may use indices below it: a top once seen + capacity
  Atomic<T>* slots_ = nullptr;  // the buffer's, one load nearer
  std::size_t mask_ = 0;
  const void* owner_ = nullptr;  // see check_owner

  // The thieves' line; the owner reads top_ and the fence's mode in every pop.
  alignas(kCacheLine) Atomic<Index> top_;
  FURCA_NO_UNIQUE_ADDRESS Fence fence_;
};

}  // namespace furca::detail
