// Progress: how far a long computation has come, and how long the rest will take.
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/mistakes/mistakes.hpp>

#include <array>

namespace furca {

namespace detail {

/// The rate of something: a mean over all of the time from 0 on, in which a moment counts as the
/// cube of its time: the last half for 15/16, the last quarter for two thirds.
///
/// So its window grows with the time: what is done now, or not done, moves it by four times its
/// share of all that was. It is never based on a few steps only, and moves less and less. (A window
/// of fixed length jumps when a step takes about as long as it; a plain mean takes too long to
/// notice that a machine has become busy.) It does not matter how often it is asked, as far as the
/// steps between two questions are done evenly.
class RecentRate {
 public:
  /// At that many seconds from the beginning `done` steps have been done. Steps a second.
  double sample(double seconds, std::uint64_t done) noexcept {
    if (seconds <= seconds_) return mean_;  // two questions in one tick of the clock
    const double square = seconds_ / seconds * (seconds_ / seconds);
    // the share of [0, seconds_] in the integral of t^3 over [0, seconds]
    const double kept = square * square;
    mean_ = kept * mean_ + (1 - kept) * static_cast<double>(done - done_) / (seconds - seconds_);
    seconds_ = seconds;
    done_ = done;
    return mean_;
  }

 private:
  double seconds_ = 0;  // of the last question
  std::uint64_t done_ = 0;
  double mean_ = 0;
};

}  // namespace detail

/// Counts the finished steps of a computation; any thread can ask for their number, their rate and
/// the time left.
///
///   furca::Progress progress(n);
///   // on another thread, some times a second: draw(progress.fraction(), progress.seconds_left());
///   furca::parallel_for(std::size_t{0}, n, body, {.progress = &progress});
///
/// Loops and reductions add the iterations that they have run, a chunk at a time
/// (LoopOptions::progress), at no cost per iteration. Other code calls add(): tasks of a scope, a
/// loop of one's own. Several loops may add to one Progress, one after the other, at the same time
/// or nested; the program decides what a step is and how many there are. seconds_left() assumes
/// that all steps take equally long.
/// Time begins at construction, so construct it when the work begins. Seconds are those of a steady
/// clock.
/// Thread-safety: any number of threads may call any member at once, inside of pools or outside.
/// For a thread that asks, done() never decreases; it includes all that was added in joins, loops
/// and scopes that have returned.
/// Cost: add() takes a nanosecond or two on the program's first 32 threads, which have a counter
/// each, and is one locked instruction, 5 to 10 ns, on others. A question takes 30 to 150 ns.
/// Memory: 8 KiB in the object: 64 counters, each in its own cache line. Threads after the 32nd
/// share 32 of them. Allocates nothing.
class FURCA_API Progress {
 public:
  /// `total`: the expected number of steps.
  explicit Progress(std::uint64_t total) noexcept;

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds n finished steps.
  /// @snippet progress.cpp add
  void add(std::uint64_t n = 1) noexcept;

  /// The number of finished steps, exact up to 2^64 - 1. May exceed total().
  std::uint64_t done() const noexcept;

  /// The expected number of steps, as given to the constructor.
  std::uint64_t total() const noexcept { return total_; }

  /// done() / total(), at most 1; also 1 if total() is 0.
  double fraction() const noexcept;

  /// Seconds since construction.
  double elapsed() const noexcept;

  /// Recent steps per second: a weighted mean over the whole time since construction, in which the
  /// last quarter counts for two thirds. So it follows a machine that becomes busy, does not jump,
  /// and gets smoother the longer the work goes on. Each call takes a sample, and assumes that
  /// steps were done evenly since the one before; the first call returns the plain mean. So call it
  /// some times a second. Time without steps counts, also after the end: there use done() /
  /// elapsed().
  double rate() const noexcept;

  /// Seconds until total() steps are done, at rate(). Infinity while nothing is done, 0 when
  /// everything is.
  double seconds_left() const noexcept;

 private:
  static constexpr std::size_t kCounters = 64;

  struct alignas(detail::kCacheLine) Counter {
    detail::Atomics::Atomic<std::uint64_t> steps{0};
  };

  const std::uint64_t total_;
  const std::uint64_t begin_;    // nanoseconds
  const void* const numbering_;  // of threads, by the copy of furca that made this
  mutable detail::Atomics::Atomic<std::uint32_t> sampling_{0};
  mutable detail::RecentRate recent_;  // for the thread that has set sampling_
  mutable detail::Atomics::Atomic<double> rate_{0};
  std::array<Counter, kCounters> counters_;
};

}  // namespace furca
