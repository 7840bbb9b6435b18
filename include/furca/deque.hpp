// The work-stealing deque: its owner pushes and pops at the bottom, other threads steal at the top.
#pragma once

#include <furca/detail/fork/deque_thieves.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/fence.hpp>

#include <atomic>
#include <new>
#include <optional>

namespace furca {

/// The outcome of a steal.
enum class StealStatus : std::uint8_t {
  empty,    ///< the queue was empty
  retry,    ///< another thread was faster; there may be more items
  success,  ///< `item` belongs to the caller
};

/// The result of a steal; converts to true if there is an item.
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
/// Memory: 8 bytes a slot. Outgrown buffers are kept until the deque is destroyed; together they
/// are never larger than the current one.
template <DequeItem T, class Fence = SeqCstFence>
class Deque : detail::ChainDeque<T, Fence> {
  using Base = detail::ChainDeque<T, Fence>;

 public:
  /// The position of an item: the first item has `start`, each next one a number higher.
  using Index = std::int64_t;

  /// An empty deque with room for `capacity` items, rounded up to a power of two. Indices begin at
  /// `start`, which is 0 or more and which no program needs to choose. Throws std::bad_alloc.
  explicit Deque(std::size_t capacity = 64, Index start = 0) : Base(capacity, start) {}

  /// Owner: adds an item at the bottom. Throws std::bad_alloc if the deque cannot grow; it is
  /// unchanged then.
  void push(T item) {
    Base::check_owner();
    if (offer(item) == kNotPublished) throw std::bad_alloc();
  }

  /// What offer returns where push would throw.
  static constexpr Index kNotPublished = Base::kNotPublished;

  /// Owner: pushes an item and returns its index, for a later take(). Where push would throw,
  /// publishes nothing and returns kNotPublished;
  /// take() accepts that as an item that no thief can get.
  FURCA_INLINE Index offer(T item) noexcept { return Base::offer(item); }

  /// Owner: thieves are likely to come for what is pushed next, and the owner pops seldom. With an
  /// AdaptiveFence the next thief then need not wait.
  void expect_thieves() noexcept { Base::expect_thieves(); }

  /// Owner: takes the newest item, if there is one.
  std::optional<T> pop() noexcept {
    T item{};
    return Base::pop(item) ? std::optional<T>(item) : std::nullopt;
  }

  /// Owner: pops the newest item, whose index `b` the caller knows; it and those above it may have
  /// been stolen. Returns false if it was stolen: then the deque is empty.
  FURCA_INLINE bool take(Index b) noexcept { return Base::take(b); }

  /// Owner: as take, for an index `b` that is end() - 1.
  FURCA_INLINE bool take_newest(Index b) noexcept { return Base::take_newest(b); }

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
    T item{};
    const Index count = Base::steal_if(still_wanted, item);
    if (count == Base::kRetry) return {StealStatus::retry, T{}};
    return {count > 0 ? StealStatus::success : StealStatus::empty, item};
  }

  /// Owner, deque empty: skips one index; see steal_if.
  void skip_index() noexcept { Base::skip_index(); }

  /// Owner: the index of the next item to be pushed.
  Index end() const noexcept { return Base::end(); }

  /// Any thread: an estimate, exact while no other thread uses the deque.
  bool empty() const noexcept { return Base::empty(); }

  /// Any thread: an estimate, exact while no other thread uses the deque.
  std::size_t size() const noexcept { return Base::size(); }

  /// Owner: the number of items that fit before the deque grows.
  std::size_t capacity() const noexcept { return Base::capacity(); }

  /// A handle for thieves. It must not outlive the deque.
  furca::Stealer<T, Fence> stealer() noexcept { return furca::Stealer<T, Fence>(*this); }

  /// The fence policy, for its statistics.
  const Fence& fence() const noexcept { return Base::fence(); }

  /// Lets another thread become the owner. The caller must synchronise the two.
  void hand_over() noexcept { Base::hand_over(); }
};

/// A thief's handle to a deque: copyable, and as small as a pointer. Thread-safety: any thread.
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
