// The counts that a worker keeps of itself: its own thread adds, anybody reads. They are for
// stats(), where a nanosecond more does not matter: a fork that stays at home is not counted. By
// `steals_won` threads also decide which steals they time.
#pragma once

#include <furca/detail/base/relaxed.hpp>

#include "../measuring/clock.hpp"

#include <cstdint>

namespace furca::detail {

/// Without counts: to measure what they cost (bench/observing/run.py). For the whole program.
#if defined(FURCA_UNCOUNTED)
inline constexpr bool kCounting = false;
#else
inline constexpr bool kCounting = true;
#endif

/// Written by one thread, without a locked step; read by any.
class Count {
 public:
  std::uint64_t get() const noexcept { return count_.read(); }
  void add(std::uint64_t more) noexcept {
    if constexpr (kCounting) count_.write(get() + more);
  }
  Count& operator++() noexcept { return add(1), *this; }

 private:
  Relaxed<std::uint64_t> count_{0};
};

struct Counters {
  Count steals_tried;
  Count steals_won;
  Count jobs_run;  // that came from a deque or a queue
  Count parks;
  Count heavy_fences;  // before it sleeps; those of thieves are the deque's

  const std::uint64_t born = ticks();
  /// Ticks in which the thread had nothing to do, twice. While it has nothing to do: that less the
  /// time when this began, plus 1. One word, so that what is read never goes back.
  Relaxed<std::uint64_t> idle{0};

  // A started thread's stack; null and 0 where it is not known.
  Relaxed<const char*> stack{nullptr};  // the lowest address
  Relaxed<std::size_t> stack_size{0};

  /// Owner, after the last look before it sleeps, with what that has found.
  bool count_last_look(bool found) noexcept {
    ++heavy_fences;
    if (!found) ++parks;
    return found;
  }

  /// Owner, in turns.
  void begin_idle() noexcept { change_idle(1 - 2 * ticks()); }
  void end_idle() noexcept { change_idle(2 * ticks() - 1); }

  bool is_idle() const noexcept { return (idle.read() & 1U) != 0; }

  /// Ticks up to now in which the thread had nothing to do. Any thread.
  std::uint64_t idle_ticks() const noexcept {
    const std::uint64_t twice = idle.read();
    return ((twice & 1U) != 0 ? twice + 2 * ticks() : twice) / 2;
  }

 private:
  void change_idle(std::uint64_t by) noexcept {
    if constexpr (kCounting) idle.write(idle.read() + by);
  }
};

/// While a thread looks for work, waits or sleeps.
class IdleTime {
 public:
  explicit IdleTime(Counters& counters) noexcept : counters_(counters) { counters_.begin_idle(); }
  ~IdleTime() { counters_.end_idle(); }
  IdleTime(const IdleTime&) = delete;
  IdleTime& operator=(const IdleTime&) = delete;

  /// Runs something meanwhile.
  template <class F>
  void interrupted_by(F work) noexcept {
    counters_.end_idle();
    work();
    counters_.begin_idle();
  }

 private:
  Counters& counters_;
};

}  // namespace furca::detail
