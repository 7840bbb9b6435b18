// The number of tasks that have not ended, without a count that all threads share.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <atomic>

namespace furca::detail {

/// One of a set of tallies: how many tasks were spawned here, and how many have ended here,
/// wherever they were spawned. A thread that wants to know whether all have ended adds up the ends
/// first and then the spawns (F. Mattern, "Algorithms for Distributed Termination Detection",
/// 1987).
///
/// who runs a task                             who wants to know
///   [tally.N1] spawned + 1, for each it spawns  [tally.N3] all that ended            acquire
///   [tally.N2] ended + 1              release   [tally.N4] all that were spawned     relaxed
/// The spawns of the tasks whose ends N3 has seen are seen by N4, and so are the spawns in them,
/// since N1 comes before a task is published and N2 after it has spawned its last. If N4 finds no
/// more than N3 has seen, nothing was spawned by these tasks, or before the question, that had not
/// ended.
/// Checked by: tests/model/programs/tally_programs.hpp
template <class A>
class BasicTally {
 public:
  // The count of one thread at a time.
  void spawned() noexcept {
    // [tally.N1] pairs with N4
    spawned_.store(spawned_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void ended() noexcept {
    // [tally.N2] pairs with N3
    ended_.store(ended_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  // The count of all threads. [tally.N1] pairs with N4
  void spawned_by_anybody() noexcept { spawned_.fetch_add(1, std::memory_order_relaxed); }
  // [tally.N2] pairs with N3
  void ended_by_anybody() noexcept { ended_.fetch_add(1, std::memory_order_release); }

  /// For the thread that counts: changes with each end.
  std::uint64_t ends() const noexcept { return ended_.load(std::memory_order_relaxed); }

  /// Anybody: `for_each(f)` calls f(tally) for every tally of the set, the same or more of them the
  /// second time.
  template <class ForEach>
  static bool all_ended(ForEach for_each) noexcept {
    std::uint64_t ended = 0;
    // [tally.N3] pairs with N2
    for_each(
        [&](const BasicTally& tally) { ended += tally.ended_.load(std::memory_order_acquire); });
    std::uint64_t spawned = 0;
    for_each([&](const BasicTally& tally) {
      // [tally.N4] pairs with N1
      spawned += tally.spawned_.load(std::memory_order_relaxed);
    });
    return spawned == ended;
  }

 private:
  typename A::template Atomic<std::uint64_t> spawned_{0};
  typename A::template Atomic<std::uint64_t> ended_{0};
};

using Tally = BasicTally<Atomics>;

}  // namespace furca::detail
