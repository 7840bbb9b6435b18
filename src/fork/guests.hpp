// Guests of a pool: outside threads while they call in, and threads that work while they wait in
// the middle of something.
#pragma once

#include <furca/detail/fork/worker.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// The slot of a guest, which the next guest uses again.
///
/// Invariants:
/// - its number never changes;
/// - the thread that has claimed it is its only owner until it leaves. All shared writes of the
///   flag are read-modify-writes.
class Guest : public Worker {
 public:
  /// The thread that makes it has claimed it.
  explicit Guest(Team& team) : Worker(team) { claimed_.store(true, std::memory_order_relaxed); }

  /// It lies on top of another worker of its thread's in this pool, whose deque is in use.
  bool nested() const noexcept { return number() >= kNested; }

  // numbers of nested guests begin here
  static constexpr std::size_t kNested = std::size_t{1} << 31U;

  /// Anybody, an estimate.
  bool claimed() const noexcept { return claimed_.load(std::memory_order_relaxed); }

  /// Any thread. False: another thread has it.
  // [guests.G2] pairs with G1
  bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_acquire); }

  void leave() noexcept {
    deque().hand_over();
    claimed_.exchange(false, std::memory_order_release);  // [guests.G1] pairs with G2
  }

  Guest* older = nullptr;  // in the list; not changed once it is there

 private:
  Atomics::Atomic<bool> claimed_{false};
};

/// A list that only grows while the pool lives: thieves walk it without a lock, and neither an
/// entry nor a fork() can leave one held.
///
/// Invariants:
/// - a guest that has been seen in the list stays there, and so do all that are older;
/// - no two guests have the same number; those that are not nested count on from the started
///   threads, and the lowest number that is free is claimed first.
/// Checked by: tests/pool/thread_pool_test.cpp ("many outside threads use one pool at once"),
/// tests/model/programs/pool_programs.hpp ("guests: two at a time")
class Guests {
 public:
  Guests() = default;
  ~Guests();
  Guests(const Guests&) = delete;
  Guests& operator=(const Guests&) = delete;

  /// For the calling thread: a free slot, or a new one. Numbers begin at `first`. Throws
  /// std::bad_alloc.
  Guest& claim(Team& team, bool nested, std::size_t first);

  /// The newest is number 0 here; null: there are not so many. Another one may come in, and then
  /// all are counted anew.
  Guest* at(std::size_t number) const noexcept {
    Guest* guest = newest();
    for (; guest != nullptr && number > 0; --number) guest = guest->older;
    return guest;
  }

  /// Calls look(guest) for each, the newest first, until it returns true.
  template <class Look>
  bool any(Look&& look) const {
    for (Guest* guest = newest(); guest != nullptr; guest = guest->older)
      if (look(*guest)) return true;
    return false;
  }

 private:
  // [guests.G4] pairs with G3
  Guest* newest() const noexcept { return newest_.load(std::memory_order_acquire); }

  Atomics::Atomic<Guest*> newest_{nullptr};
  Atomics::Atomic<std::size_t> count_{0};
  Atomics::Atomic<std::size_t> nested_count_{0};
};

}  // namespace furca::detail
