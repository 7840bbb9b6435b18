// The top of a deque, where thieves steal; and what its owner seldom does.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/processor.hpp>
#include <furca/detail/fork/chain_deque.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <new>

namespace furca::detail {

template <class T, class Fence>
struct ChainDeque<T, Fence>::Buffer {
  explicit Buffer(std::size_t capacity) : mask(capacity - 1), slots(new Atomic<T>[capacity]) {}
  Atomic<T>& slot(Index i) noexcept { return slots[static_cast<std::size_t>(i) & mask]; }
  Index capacity() const noexcept { return static_cast<Index>(mask) + 1; }

  std::size_t mask;
  Owner<Atomic<T>[]> slots;
  Buffer* older = nullptr;  // a thief may still be reading there
};

template <class T, class Fence>
ChainDeque<T, Fence>::ChainDeque(std::size_t capacity, Index start)
    : bottom_(start), limit_(start), top_(start) {
  if (capacity > SIZE_MAX / 2) throw std::bad_alloc();  // no power of two above it
  use(new Buffer(std::bit_ceil(capacity > 0 ? capacity : 1)), start);
}

template <class T, class Fence>
ChainDeque<T, Fence>::~ChainDeque() {
  for (Buffer* buffer = buffer_.load(std::memory_order_relaxed); buffer != nullptr;) {
    const Owner<Buffer> dead(buffer);
    buffer = dead->older;
  }
}

// --- the owner -----------------------------------------------------------------------------------

template <class T, class Fence>
void ChainDeque<T, Fence>::check_owner() noexcept {
#ifndef NDEBUG
  const void* const self = &errno;  // each thread has its own, the same in every shared library
  if (owner_ == nullptr) owner_ = self;
  assert(owner_ == self && "furca: Deque: push and pop belong to one thread, the owner");
#endif
}

template <class T, class Fence>
FURCA_INLINE bool ChainDeque<T, Fence>::take(Index b) noexcept {
  if (b < 0) [[unlikely]]
    return true;  // kNotPublished
  check_owner();
  assert(b < bottom_.load(std::memory_order_relaxed));
  return take_newest(b);
}

template <class T, class Fence>
bool ChainDeque<T, Fence>::pop(T& item) noexcept {
  check_owner();
  const Index b = bottom_.load(std::memory_order_relaxed) - 1;
  if (!take_newest(b)) return false;
  item = own_slot(b).load(std::memory_order_relaxed);
  return true;
}

/// `t` was the top, and it is not below `b`.
template <class T, class Fence>
bool ChainDeque<T, Fence>::take_last(Index b, Index t) noexcept {
  const bool won =
      // [deque.P4]
      t == b &&
      top_.compare_exchange_strong(t, b + 1, std::memory_order_relaxed, std::memory_order_relaxed);
  // Empty either way: bottom is where top is, b + 1 or, if more was stolen, t. Release: see
  // skip_index.
  bottom_.store(won ? b + 1 : t, std::memory_order_release);  // [deque.P5] pairs with T3
  return won;
}

/// The deque is empty: skips one index; see steal_if.
template <class T, class Fence>
void ChainDeque<T, Fence>::skip_index() noexcept {
  check_owner();
  assert(empty());
  top_.fetch_add(1, std::memory_order_release);  // [deque.L4] pairs with T1
  // Release: whoever sees the new bottom sees that top has passed the slot below it. Relaxed, the
  // store might come first on a weakly ordered machine, and a thief would steal what has not lain
  // in that slot for long.
  // [deque.L5] pairs with T3
  bottom_.store(bottom_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

template <class T, class Fence>
std::size_t ChainDeque<T, Fence>::capacity() const noexcept {
  return static_cast<std::size_t>(buffer_.load(std::memory_order_relaxed)->capacity());
}

/// The limit was reached. Either thieves have made room since, or the buffer doubles. False: no
/// memory.
template <class T, class Fence>
bool ChainDeque<T, Fence>::make_room(Index b) noexcept {
  Buffer* const old = buffer_.load(std::memory_order_relaxed);
  const Index t = top_.load(std::memory_order_acquire);  // [deque.U3] pairs with T4
  if (b - t >= old->capacity()) {
    Buffer* bigger = nullptr;
    try {
      bigger = new Buffer(2 * (old->mask + 1));
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

/// From here on items lie in `buffer`, beginning with index `oldest`.
template <class T, class Fence>
void ChainDeque<T, Fence>::use(Buffer* buffer, Index oldest) noexcept {
  buffer_.store(buffer, std::memory_order_release);  // [deque.U4] pairs with T5
  slots_ = buffer->slots.get();
  mask_ = buffer->mask;
  limit_ = oldest + buffer->capacity();
}

// --- any thread ----------------------------------------------------------------------------------

template <class T, class Fence>
std::size_t ChainDeque<T, Fence>::size() const noexcept {
  const Index count =
      bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

/// Between enter() and leave() of the fence. Steals the oldest item, and as many in all as
/// `count_those(buffer, t, b)` says, which reads those above it. Returns how many; or kRetry.
template <class T, class Fence>
template <class Predicate, class Count>
auto ChainDeque<T, Fence>::steal_from_top(Predicate still_wanted, T& item,
                                          Count count_those) noexcept -> Index {
  // Acquire is for L4 alone; the steal itself needs only relaxed, since T2 follows.
  Index t = top_.load(std::memory_order_acquire);  // [deque.T1] pairs with L4
  if (!still_wanted()) return 0;
  Atomics::fence();  // [deque.T2] pairs with P2
  // [deque.T3] pairs with U2 and P1
  const Index b = bottom_.load(std::memory_order_acquire);
  if (t >= b) return 0;
  Buffer* buffer = buffer_.load(std::memory_order_acquire);  // [deque.T5] pairs with U4
  item = buffer->slot(t).load(std::memory_order_relaxed);
  const Index count = count_those(*buffer, t, b);
  // [deque.T4] pairs with U3
  return top_.compare_exchange_strong(t, t + count, std::memory_order_release,
                                      std::memory_order_relaxed)
             ? count
             : kRetry;
}

template <class T, class Fence>
template <class Predicate>
auto ChainDeque<T, Fence>::steal_if(Predicate still_wanted, T& item) noexcept -> Index {
  if (empty()) return 0;  // the cheap look: an idle thief leaves the owner's fence policy alone
  if (!fence_.enter()) return kRetry;
  const Index count =
      steal_from_top(still_wanted, item, [](Buffer&, Index, Index) { return Index{1}; });
  fence_.leave();
  return count;
}

// --- items that follow others --------------------------------------------------------------------
//
// owner pop of what follows                 thief steals several
//   [deque.P1] bottom_ = b        release   [deque.T3] b = bottom_                 acquire
//   [deque.P2] fence                        [deque.T6] the next slots that follow  acquire
//   [deque.P3] t = top_           relaxed   [deque.T4] CAS top_ + their number     release
//   [deque.P6] near t: CAS top_ + 1
// - A thief whose T3 has missed a P1 has read a top that is no later than that of P3. Its steal
//   ends below that top + kMostAtOnce, and items from there on are the owner's.
// - Nearer to the top the owner gets the oldest item, as a thief does: of two CAS one fails.
// - An item that does not follow ends each steal from below it. So above such an item, which lies
//   at `least`, the owner takes the newest while the top is below `least`.
// - Where P2 was no fence, thieves see P1 (AdaptiveFence).
// - Between T3 and T6 an item above the top may be popped, and another one pushed in its place: T6
//   and U6 publish the item, since T3 and U2 may not.
// Checked by: tests/model/programs/deque_programs.hpp ("two of three, and two pops", "what is
// pushed where another one was", "pops in a frame above others")

/// Owner: takes one of the items from `least` on, if there are any: the newest; or the oldest,
/// where a thief may be about to steal the newest, too. What lies at `least` does not follow.
/// False: there are none.
/// Rejected: to return an std::optional. g++ 12 passed it through memory, read in a piece of
/// another size than it was written in; a task of nothing took 30 ns for 14 (AMD EPYC, family 25,
/// model 17).
template <class T, class Fence>
FURCA_INLINE inline bool ChainDeque<T, Fence>::pop_from(Index least, T& item) noexcept {
  check_owner();
  const Index b = end() - 1;
  const T newest = own_slot(b).load(std::memory_order_relaxed);
  item = newest;
  bottom_.store(b, std::memory_order_release);           // [deque.P1]
  const bool fenced = fence_.before_look();              // [deque.P2]
  const Index t = top_.load(std::memory_order_relaxed);  // [deque.P3]
  if (t < b && (!fenced || !newest.follows() || t < least || b - t >= T::kMostAtOnce)) [[likely]]
    return true;
  if (!newest.follows()) return take_last(b, t);
  return pop_oldest(b, t, item);
}

/// Owner: `t` was the top, and the newest item lies at `b`.
template <class T, class Fence>
bool ChainDeque<T, Fence>::pop_oldest(Index b, Index t, T& item) noexcept {
  bottom_.store(b + 1, std::memory_order_release);  // [deque.P5]
  while (t <= b) {
    // [deque.P6]
    if (top_.compare_exchange_strong(t, t + 1, std::memory_order_relaxed,
                                     std::memory_order_relaxed)) {
      item = own_slot(t).load(std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

/// Any thread: tries to steal the oldest item, and with it those that follow, up to half of all
/// items. Returns how many.
template <class T, class Fence>
template <class Items>
auto ChainDeque<T, Fence>::steal_several(Items& items) noexcept -> Index {
  static_assert(std::tuple_size_v<Items> == T::kMostAtOnce);
  if (empty() || !fence_.enter()) return 0;
  const Index count = steal_from_top([] { return true; }, items[0],
                                     [&items](Buffer& buffer, Index t, Index b) {
                                       const Index most = std::min((b - t + 1) / 2, T::kMostAtOnce);
                                       Index many = 1;
                                       for (; many < most; ++many) {
                                         // [deque.T6] pairs with U6
                                         const T item =
                                             buffer.slot(t + many).load(std::memory_order_acquire);
                                         if (!item.follows()) break;
                                         items[static_cast<std::size_t>(many)] = item;
                                       }
                                       return many;
                                     });
  fence_.leave();
  return std::max(count, Index{0});
}

}  // namespace furca::detail
