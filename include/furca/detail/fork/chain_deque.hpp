// A worker's deque: thieves take several items by one CAS, if these follow one another.
#pragma once

#include <furca/deque.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <span>

namespace furca::detail {

/// An item says whether it follows the one just below it: bool follows() const. A thief that takes
/// that one may take both, and T::kMostAtOnce at most. What may follow is pushed by
/// offer_following(), and popped by pop_from().
///
/// owner pop of what follows                 thief steals several
///   [deque.P1] bottom_ = b        release   [deque.T3] b = bottom_                 acquire
///   [deque.P2] fence                        [deque.T6] the next slots that follow  acquire
///   [deque.P3] t = top_           relaxed   [deque.T4] CAS top_ + their number     release
///   [deque.P6] near t: CAS top_ + 1
/// - A thief whose T3 has missed a P1 has read a top that is no later than that of P3. Its steal
///   ends below that top + kMostAtOnce, and items from there on are the owner's.
/// - Nearer to the top the owner takes the oldest item, as a thief does: of two CAS one fails.
/// - An item that does not follow ends each steal from below it. So above such an item, which lies
///   at `least`, the owner takes the newest while the top is below `least`.
/// - Where P2 was no fence, thieves see P1 (AdaptiveFence).
/// - Between T3 and T6 an item above the top may be popped, and another one pushed in its place:
///   T6 and U6 publish the item, since T3 and U2 may not.
/// Checked by: tests/model/programs/deque_programs.hpp ("two of three, and two pops", "what is
/// pushed where another one was", "pops in a frame above others")
template <DequeItem T, class Fence>
class ChainDeque : public Deque<T, Fence> {
  using Base = Deque<T, Fence>;
  using Base::bottom_;
  using Base::fence_;
  using Base::own_slot;
  using Base::top_;

 public:
  using Base::Base;
  using typename Base::Index;

  static constexpr Index kMostAtOnce = T::kMostAtOnce;

  /// Owner: as offer, of an item that may follow the one below.
  FURCA_INLINE Index offer_following(T item) noexcept {
    const Index b = this->end();
    if (!this->has_room(b)) [[unlikely]]
      return Base::kNotPublished;
    own_slot(b).store(item, std::memory_order_release);  // [deque.U6] pairs with T6
    bottom_.store(b + 1, std::memory_order_release);     // [deque.U2]
    return b;
  }

  /// Owner: takes one of the items from `least` on, if there are any: the newest; or the oldest,
  /// where a thief may be about to take the newest, too. What lies at `least` does not follow.
  /// False: there are none.
  /// Rejected: to return an std::optional. g++ 12 passed it through memory, read in a piece of
  /// another size than it was written in; a task of nothing took 30 ns for 14 (AMD EPYC, family 25,
  /// model 17).
  FURCA_INLINE bool pop_from(Index least, T& item) noexcept {
    this->check_owner();
    const Index b = this->end() - 1;
    const T newest = own_slot(b).load(std::memory_order_relaxed);
    item = newest;
    bottom_.store(b, std::memory_order_release);           // [deque.P1]
    const bool fenced = fence_.before_look();              // [deque.P2]
    const Index t = top_.load(std::memory_order_relaxed);  // [deque.P3]
    if (t < b && (!fenced || !newest.follows() || t < least || b - t >= kMostAtOnce)) [[likely]]
      return true;
    if (!newest.follows()) return this->take_last(b, t);
    const std::optional<T> oldest = pop_oldest(b, t);
    if (oldest) item = *oldest;
    return oldest.has_value();
  }

  /// Any thread: tries to take the oldest item, and with it those that follow, up to half of all
  /// items. Returns how many.
  Index steal_several(std::span<T, std::size_t{kMostAtOnce}> items) noexcept {
    if (this->empty() || !fence_.enter()) return 0;
    const Index count =
        this->steal_visiting([] { return true; }, items[0],
                             [&items](typename Base::Ring& ring, Index t, Index b) {
                               const Index most = std::min((b - t + 1) / 2, kMostAtOnce);
                               Index many = 1;
                               for (; many < most; ++many) {
                                 // [deque.T6] pairs with U6
                                 const T item = ring.slot(t + many).load(std::memory_order_acquire);
                                 if (!item.follows()) break;
                                 items[static_cast<std::size_t>(many)] = item;
                               }
                               return many;
                             });
    fence_.leave();
    return std::max(count, Index{0});
  }

 private:
  /// Owner: `t` was the top, and the newest item lies at `b`.
  FURCA_COLD std::optional<T> pop_oldest(Index b, Index t) noexcept {
    bottom_.store(b + 1, std::memory_order_release);  // [deque.P5]
    while (t <= b) {
      // [deque.P6]
      if (top_.compare_exchange_strong(t, t + 1, std::memory_order_relaxed,
                                       std::memory_order_relaxed))
        return own_slot(t).load(std::memory_order_relaxed);
    }
    return std::nullopt;
  }
};

}  // namespace furca::detail
