// Progress: which counter is whose, and what the counts come to.
#include <furca/progress.hpp>

#include <furca/detail/loop/index_range.hpp>

#include <atomic>
#include <limits>

namespace furca {

namespace {

constinit std::atomic<std::uint32_t> threads_seen{0};
constinit thread_local std::uint32_t number = 0;  // 0: none yet
constinit char this_copy = 0;                     // of furca: its address

/// So many threads have a counter each that nobody else writes, so they need no locked instruction:
/// if it is this copy of furca that made the object, since others number threads on their own.
constexpr std::uint32_t kOwn = 32;

/// Threads are numbered as they come, so that of those without one of their own any 32 that come in
/// a row count in different places, which a hash would not promise. A number of the pool's would
/// not do: other threads count too, and may not join a pool because of it.
std::uint32_t number_of_thread() noexcept {
  if (number == 0) [[unlikely]]
    number = threads_seen.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

double seconds_since(std::uint64_t begin) noexcept {
  return static_cast<double>(detail::Atomics::nanoseconds() - begin) * 1e-9;
}

}  // namespace

Progress::Progress(std::uint64_t total) noexcept
    : total_(total), begin_(detail::Atomics::nanoseconds()), numbering_(&this_copy) {}

/// Relaxed, since it orders nothing: who may rely on what a thread has done has it from the end of
/// a loop or scope.
void Progress::add(std::uint64_t n) noexcept {
  const std::uint32_t mine = number_of_thread() - 1;
  if (mine < kOwn && numbering_ == &this_copy) {
    auto& steps = counters_[mine].steps;
    return steps.store(steps.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  auto& shared = counters_[kOwn + mine % (kCounters - kOwn)].steps;
  shared.fetch_add(n, std::memory_order_relaxed);
}

/// No counter is ever read older than the time before, so neither is the sum.
std::uint64_t Progress::done() const noexcept {
  std::uint64_t sum = 0;
  for (const Counter& counter : counters_) sum += counter.steps.load(std::memory_order_relaxed);
  return sum;
}

double Progress::fraction() const noexcept {
  const std::uint64_t steps = done();
  return steps >= total_ ? 1.0 : static_cast<double>(steps) / static_cast<double>(total_);
}

double Progress::elapsed() const noexcept { return seconds_since(begin_); }

/// A thread that asks while another one computes gets that one's last result: none waits.
/// Checked by: tests/loop/progress_test.cpp ("many threads ask at any time, and nothing goes
/// back"), by ThreadSanitizer
double Progress::rate() const noexcept {
  if (sampling_.exchange(1, std::memory_order_acquire) == 0) {  // [progress.O2] pairs with O3
    rate_.store(recent_.sample(elapsed(), done()), std::memory_order_relaxed);
    sampling_.store(0, std::memory_order_release);  // [progress.O3] pairs with O2
  }
  return rate_.load(std::memory_order_relaxed);
}

double Progress::seconds_left() const noexcept {
  const double steps_a_second = rate();
  const std::uint64_t steps = done();
  if (steps >= total_) return 0;
  return steps_a_second > 0 ? static_cast<double>(total_ - steps) / steps_a_second
                            : std::numeric_limits<double>::infinity();
}

namespace detail {

void add_steps_to(Progress& progress, std::uint64_t steps) noexcept { progress.add(steps); }

}  // namespace detail

}  // namespace furca
