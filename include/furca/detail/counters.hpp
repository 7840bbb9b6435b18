// What a worker counts of itself, for stats(): its own thread adds, anybody reads. Only where a nanosecond more does not matter: a fork
// that stays at home is not counted.
#pragma once

#include <furca/detail/clock.hpp>

#include <atomic>
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
  std::uint64_t get() const noexcept { return count_.load(std::memory_order_relaxed); }
  void add(std::uint64_t more) noexcept {
    if constexpr (kCounting) count_.store(get() + more, std::memory_order_relaxed);
  }
  Count& operator++() noexcept { return add(1), *this; }

 private:
  std::atomic<std::uint64_t> count_{0};
};

struct Counters {
  Count steals_tried;
  Count steals_won;
  Count jobs_run;  // that came from a deque or a queue
  Count parks;
  Count heavy_fences;  // before it sleeps; those of thieves are the deque's

  const std::uint64_t born = ticks();
  Count idle;                                // ticks
  std::atomic<std::uint64_t> idle_since{0};  // 0: it is busy

  // A started thread's stack; null and 0 where it is not known.
  std::atomic<const char*> stack{nullptr};  // the lowest address
  std::atomic<std::size_t> stack_size{0};

  /// Ticks up to now in which the thread had nothing to do. Any thread.
  std::uint64_t idle_until(std::uint64_t now) const noexcept {
    const std::uint64_t since = idle_since.load(std::memory_order_relaxed);
    return idle.get() + (since != 0 && now > since ? now - since : 0);
  }
};

/// While a thread looks for work, waits or sleeps.
class IdleTime {
 public:
  explicit IdleTime(Counters& counters) noexcept : counters_(counters) { begin(); }
  ~IdleTime() { end(); }
  IdleTime(const IdleTime&) = delete;
  IdleTime& operator=(const IdleTime&) = delete;

  /// Runs something meanwhile.
  template <class F>
  void interrupted_by(F work) noexcept {
    end();
    work();
    begin();
  }

 private:
  void begin() noexcept {
    if constexpr (kCounting) counters_.idle_since.store(since_ = ticks(), std::memory_order_relaxed);
  }
  void end() noexcept {
    if constexpr (!kCounting) return;
    counters_.idle_since.store(0, std::memory_order_relaxed);
    counters_.idle.add(ticks() - since_);
  }

  Counters& counters_;
  std::uint64_t since_ = 0;
};

}  // namespace furca::detail
