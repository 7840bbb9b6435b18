// The places in which portions of a loop lie for the threads that had them before.
//
// In a row of loops over one range each thread should take the portion that it had, which is in its
// caches. Halves of a deque go to whoever comes first: from four threads on nobody has again what
// he had. So an outermost loop that is long enough has a portion for each thread of its pool, and
// lays it in that thread's place. A thread without work looks in its own place first. Inside of a
// portion everything is as in any loop: halves in the own deque, for thieves. A place is a letter
// box that others may open: what lies in another's place when a thread looks there twice in a row,
// having found nothing else in a whole round, it receives. And the caller, when it is through with
// its own portion, takes back what still lies where it was laid, before it waits for another
// thread. So nothing waits for a thread that sleeps, is busy or is kept off by the system.
//
// Invariants:
// - a portion lies in one place, and one thread gets it: a thief receives it, or the one that laid
//   it takes it back, in whose frame it is and who waits for it if it is gone;
// - whoever receives it looks for work, with an empty deque, as who steals a fork: so all that is
//   true of a stolen fork (Thief::steal_below) is true of a portion;
// - whoever lays portions has an empty deque, and the caller is in no other loop and no job; so
//   while it waits for one of them its deque is empty again;
// - a portion that lies somewhere is a reason to stay awake, and its caller looks at its bell after
//   it has laid all ([sleep.F1] in sleep.md);
// - if the pool has a processor for each thread, of sixteen portions and more a row of them is a
//   group, in the place of its first thread: who receives it runs the first portion and lays the
//   others, as the caller did with it, waits for them, and only then has it ended. Nobody has more
//   than two rows of frames at once: the groups, and the portions of one.
//   Sixteen portions in groups of four, of which one other thread receives something:
//
//     caller                                               thread 6
//       lays groups 12, 8, 4, then portions 3, 2, 1          sleeps
//       runs 0; takes back and runs 1, 2, 3
//       takes back group 4: lays 7, 6, 5, runs 4             receives portion 6, its own
//       takes back and runs 5; 6 is gone, so he waits        runs it
//         and runs what 6 has forked                         ends it, and looks elsewhere
//       takes back and runs 7, then group 8, then group 12
//
// - begin_laying() counts whoever will lay portions, and each of them counts itself off once: when
//   it has laid its own, or when it is known that it never will;
// - being_laid() and who had which portion are hints: wrong ones make a loop slower. Who looks a
//   last time before it sleeps asks neither.
//
// Rejected (times counted, as by bench/counted, of rows of loops of 0.3 to 10 ms):
// - One word of the pool that announces a loop, with a word for each portion of it: portions are
//   there at once, but outlive their loop, so each needs a generation, and a reduction's results a
//   place in the pool.
// - Halves that are laid for the first of the threads that share them, and by these again: 1.0 to
//   1.15 times as long on 64 threads as with groups.
// - A word that says which loop it is, instead of one that counts who lays: whoever looks waits for
//   his portion for so many rounds. 60 % of the data are in the cache of who needs them next, for
//   85.
// - No places: 1.4 times as long on 16 threads, 2.6 to 3.6 times on 64, if the data fit in all
//   caches (this and the next: means of the rows in bench/counted/README.md).
// - No groups: 1.3 times as long on 64 threads that are awake, 1.1 after a rest, 1.4 on 128; if the
//   data fit in all caches 2.1 and 1.6 on 64. On 16 0.9 times (a reduction of 10 ms) to 1.3 (a loop
//   of 100 us).
// - Nobody receives another's portion: if an eighth of the threads is busy with something else, 256
//   steps of 40 us take 1.3 to 1.5 times as long. Or receives it at the first look: 1.05 to 1.15
//   times on 64 threads.
// - A count of the loops that have portions, so that nobody looks at places while none lie there:
//   no gain (14 rows, awake and rested; without it 16 threads gain 0.1 % +- 0.3 more, 64 0.6 +-
//   0.7).
// - Who waits for a portion that another thread has runs those that lie behind it: no gain on 16
//   and 64 threads, awake, after a rest, with data, or where each thread loses its processor for 50
//   us in 5 ms.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/relaxed.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

class ForkedJob;

/// One thread's place.
///
/// the caller                              whoever receives it
///   [places.X3] place = portion   release   [places.X4] place = nothing   acquire
///   [places.X5] place = nothing?  relaxed   the portion, its latch
/// All three are read-modify-writes, so one of X4 and X5 finds the portion. Nothing is read of it
/// before X4.
/// Checked by: tests/model/programs/places_programs.hpp ("two look, and who laid it takes it back")
template <class A, class Portion>
class BasicPlace {
 public:
  /// Any thread, which looks at its bell afterwards. False: another portion lies here.
  bool lay(Portion& portion) noexcept {
    Portion* nothing = nullptr;
    // [places.X3] pairs with X4
    return empty() && portion_.compare_exchange_strong(nothing, &portion, std::memory_order_release,
                                                       std::memory_order_relaxed);
  }

  /// Any thread: what lay here; or null.
  Portion* receive() noexcept {
    // [places.X4] pairs with X3
    return empty() ? nullptr : portion_.exchange(nullptr, std::memory_order_acquire);
  }

  /// The thread that laid it. False: another thread has it.
  bool take(Portion& portion) noexcept {
    Portion* mine = &portion;
    // [places.X5] or X4, whichever comes first
    return portion_.compare_exchange_strong(mine, nullptr, std::memory_order_relaxed,
                                            std::memory_order_relaxed);
  }

  /// Any thread, an estimate.
  bool empty() const noexcept { return portion_.load(std::memory_order_relaxed) == nullptr; }

 private:
  typename A::template Atomic<Portion*> portion_{nullptr};
};

using Place = BasicPlace<Atomics, ForkedJob>;

/// Whether portions of loops may lie in a pool's places, and whether some are being laid.
class Portions {
 public:
  /// Most portions of a loop: what a thread lays has a frame each on its stack, of 200 bytes or so,
  /// and of up to 2 KiB more with results. (More threads share them by stealing.)
  static constexpr std::size_t kMostPortions = 256;
  static constexpr std::size_t kMostPortionsWithResults = 16;
  static constexpr std::size_t kMostPortionsWithResultsInGroups = 128;

  /// So many portions in a row are one group, about as many as there are groups: whoever gets the
  /// first of them lays the others. Few portions are one group. A row is less than a group or less
  /// than the number of groups, so two of them are 30 frames at most, of 256 portions, and 22
  /// with results, of 128, or 48 KiB.
  static std::uint64_t group(std::uint64_t portions) noexcept {
    return portions < Atomics::kPortionsForGroups
               ? portions
               : std::uint64_t{1} << (static_cast<unsigned>(std::bit_width(portions - 1)) / 2);
  }

  /// Whether loops have groups. Not where threads share processors: others would wait for one who
  /// cannot come.
  bool grouped() const noexcept { return grouped_.read(); }
  void set_grouped(bool grouped) noexcept { grouped_.write(grouped); }

  /// Do so many threads gain from places? Two of them keep their portions without, and small pools
  /// pay nothing for what large ones need. Where many share a processor most do not come for their
  /// portions, and the caller has to take back what it has laid: forty loops of 125 us took 1.02
  /// times as long on four threads to two processors as on two, 1.04 on eight, 1.09 on 16, 1.18 on
  /// 32 and 1.5 on 64 (AMD EPYC, family 25, model 17).
  static constexpr bool pay(std::size_t threads, std::size_t processors) noexcept {
    return threads >= 4 && threads <= 2 * processors;
  }

  /// Portions may lie in places. Else nobody looks there.
  bool used() const noexcept { return used_.read(); }
  void set_used(bool used) noexcept { used_.write(used); }

  /// The calling thread lays portions now, and so many threads in all, itself included, will;
  /// others who look for work should not steal from those who have theirs already, but wait for
  /// their own for a moment. False: other threads do so, and this one should not.
  bool begin_laying(std::uint32_t layers = 1) noexcept {
    std::uint32_t none = 0;
    return !being_laid() && layers_.replace(none, layers);
  }
  /// One of them has laid all of its own, or will lay none.
  void end_laying() noexcept { layers_.subtract(1); }
  bool being_laid() const noexcept { return layers_.read() != 0; }

 private:
  Relaxed<bool> used_{false};
  Relaxed<bool> grouped_{false};
  // who lay portions, or have yet to begin with theirs
  alignas(kCacheLine) SeamHint<std::uint32_t> layers_{0};
};

}  // namespace furca::detail
