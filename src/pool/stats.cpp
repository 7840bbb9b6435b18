// stats() and debug_dump(): what other threads do, seen from outside.
#include <furca/stats.hpp>

#include "../fork/counters.hpp"
#include "../fork/mailbox.hpp"
#include "../observing/report.hpp"
#include "../queues/detached_tasks.hpp"
#include "../system/environment.hpp"
#include "global.hpp"
#include "pool.hpp"
#include "pool_list.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

namespace furca {

namespace detail {

namespace {

double seconds(std::uint64_t ticks) noexcept {
  return static_cast<double>(ticks) * 1e-6 / static_cast<double>(ticks_per_microsecond());
}

}  // namespace

/// Nothing here is exact while the threads go on.
Stats Pool::stats() const {
  Stats stats;
  const std::uint64_t now = ticks();
  stats.wakes = sleep_.wakes();
  stats.seconds = seconds(now - born_);
  const auto add = [&](const Worker& worker) {
    const Counters& counters = worker.counters;
    const bool started = worker.number() < size_ - 1 || &worker == task_thread_.worker();
    WorkerStats one;
    one.name = started ? thread_name(worker)
               : worker.number() >= Guest::kNested
                   ? "nested-" + std::to_string(worker.number() - Guest::kNested)
                   : "caller-" + std::to_string(worker.number());
    one.started = started;
    one.jobs_run = counters.jobs_run.get();
    one.steals_tried = counters.steals_tried.get();
    one.steals_won = counters.steals_won.get();
    one.parks = counters.parks.get();
    one.heavy_fences = counters.heavy_fences.get() + worker.deque().fence().heavy_fences();
    one.seconds = seconds(now - std::min(now, counters.born));
    one.idle_seconds = std::min(seconds(counters.idle_ticks()), one.seconds);
    const char* const stack = counters.stack.read();
    if (stack != nullptr && worker.jobs.read() != Worker::kEnded)
      one.stack_high_water = Thread::stack_used(stack, counters.stack_size.read());
    stats.workers.push_back(std::move(one));
  };
  // there are more, if the system refused a thread
  for (std::size_t i = 0; i < size_ - 1; ++i) add(*workers_[i]);
  const std::size_t threads = stats.workers.size();
  guests_.any([&](const Guest& guest) { return add(guest), false; });
  // the newest is the first in the list
  std::reverse(stats.workers.begin() + static_cast<std::ptrdiff_t>(threads), stats.workers.end());
  return stats;
}

void Pool::print_end() const noexcept {
  if (!stats_at_end() && !display_from_environment()) return;
  try {
    const std::string what = is_global_pool(*this) ? "global pool" : "pool " + name_;
    if (stats_at_end()) print_stats(stats(), what.c_str());
    if (display_from_environment()) print_costs(what.c_str(), measured_costs.get(&sleep_.latency));
  } catch (const std::exception&) {  // no memory
  }
}

void Pool::dump() const noexcept {
  std::fprintf(stderr, "furca: %s %s, %zu threads%s, %" PRIu32 " asleep%s\n",
               is_global_pool(*this) ? "global pool" : "pool", name_.c_str(), size_,
               sleep_.stopping() ? ", stopping" : "", sleep_.sleepers(),
               outside_.queue().empty() ? "" : ", tasks in the common queue");
  const auto print = [](const char* what, std::size_t number, const Worker& worker, bool started,
                        bool taken) {
    const bool idle = worker.counters.is_idle();
    const std::uint32_t jobs = worker.jobs.read();
    std::fprintf(stderr, "furca:   %s %zu: ", what, number);
    if (jobs == Worker::kEnded) {
      std::fprintf(stderr, "has ended\n");
    } else if (!taken) {
      std::fprintf(stderr, "not here\n");
    } else {
      std::fprintf(stderr, "%s, %" PRIu32 " jobs on its stack, %zu forks to steal, %s%s\n",
                   !idle                  ? "busy"
                   : jobs > 0 || !started ? "waits"
                                          : "looks for work or sleeps",
                   jobs, worker.deque().size(),
                   worker.detached.queue().empty() ? "no tasks" : "tasks queued",
                   worker.mailbox.empty() ? "" : ", has mail");
    }
  };
  for (std::size_t i = 0; i < size_ - 1; ++i) print("thread", i, *workers_[i], true, true);
  guests_.any([&](const Guest& guest) {
    const char* const what = &guest == task_thread_.worker() ? "thread for tasks"
                             : guest.nested()                ? "nested"
                                                             : "caller";
    print(what, guest.nested() ? guest.number() - Guest::kNested : guest.number(), guest, false,
          guest.claimed());
    return false;
  });
}

void read_stats(const Pool* pool, CrossingStats& stats) {
  const Stats read = (pool != nullptr ? *pool : Worker::current().pool()).stats();
  stats.wakes = read.wakes;
  stats.seconds = read.seconds;
  for (const WorkerStats& worker : read.workers) stats.add(stats.to, worker.name.c_str(), worker);
}

}  // namespace detail

void debug_dump() noexcept {
  detail::for_each_pool([](const detail::Pool& pool) { pool.dump(); });
}

}  // namespace furca
