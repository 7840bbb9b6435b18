// Progress: how far a long computation has come, and how long the rest will take.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/atomics.hpp>
#include <furca/detail/recent_rate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace furca {

/// A count of steps that many threads add to, and any thread can ask: how many are done, how fast it goes, how long the rest takes.
///
///   furca::Progress progress(n);
///   // on another thread, some times a second: draw(progress.fraction(), progress.seconds_left());
///   furca::parallel_for(std::size_t{0}, n, body, {.progress = &progress});
///
/// Loops and reductions that are given it add the iterations that they have run, a chunk at a time (LoopOptions::progress); that
/// costs an iteration nothing. Whatever else counts calls add(): the tasks of a scope, a loop of one's own. Several loops may add to
/// one Progress, one after the other, side by side or one inside the other; what a step is, and how many there are in all, is for
/// the program to say. The time that is left is estimated as if all steps took equally long.
///
/// Time begins when it is made, so make it when the work begins. Seconds are those of a steady clock.
/// Thread-safety: all members from any number of threads at once, inside of pools or outside. For a thread that asks, done() never
/// goes back; what was added in a join, loop or scope that has returned is in it.
/// Cost: add() is one locked instruction, some 10 ns, without contention, since threads count in places of their own; a question
/// takes 30 to 150 ns.
/// Memory: 8 KiB in the object itself: 64 counters in cache lines of their own. More threads than that share them. Allocates nothing.
/// @snippet progress.cpp Progress
class FURCA_API Progress {
 public:
  /// `total`: how many steps there are to be, as far as is known. Nothing is done yet.
  explicit Progress(std::uint64_t total) noexcept;

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// n more steps are done.
  /// @snippet progress.cpp add
  void add(std::uint64_t n = 1) noexcept;

  /// How many steps are done: may be more than total() if the program has counted more; exact, up to 2^64 - 1.
  std::uint64_t done() const noexcept;

  /// How many steps there are to be, as it was told.
  std::uint64_t total() const noexcept { return total_; }

  /// done() / total(), from 0 to 1; 1 as well if there was nothing to do, or more was done than that.
  double fraction() const noexcept;

  /// Seconds since it was made, whether anything is done or not.
  double elapsed() const noexcept;

  /// Steps a second, lately: a mean over all of the time since it was made, in which the last quarter counts for two thirds. So it
  /// follows a machine that becomes busy, yet does not jump, and gets smoother the longer the work goes on. It is measured by asking:
  /// between two questions steps are taken to have been done evenly, and the first question gets the plain mean; so ask some times a
  /// second. Time in which nothing is done counts, that after the end too: there, take done() / elapsed().
  double rate() const noexcept;

  /// Seconds until total() steps are done, at rate(). Infinity while nothing is done, 0 when all is.
  double seconds_left() const noexcept;

 private:
  static constexpr std::size_t kCounters = 64;

  struct alignas(detail::kCacheLine) Counter {
    detail::Atomics::Atomic<std::uint64_t> steps{0};
  };

  const std::uint64_t total_;
  const std::uint64_t begin_;  // nanoseconds
  mutable detail::Atomics::Atomic<std::uint32_t> sampling_{0};
  mutable detail::RecentRate recent_;  // for the thread that has set sampling_
  mutable detail::Atomics::Atomic<double> rate_{0};
  std::array<Counter, kCounters> counters_;
};

}  // namespace furca
