#include "report.hpp"

#include "../system/environment.hpp"
#include "../system/processors.hpp"

#include <furca/detail/base/atomics.hpp>
#include <furca/version.hpp>

#include <cinttypes>
#include <cstdio>
#include <string>

namespace furca::detail {

namespace {

/// "4 threads", "1 thread".
std::string threads_of(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

std::string reason() {
  std::string text = threads_from_environment(kMostThreads) ? "FURCA_NUM_THREADS; " : "";
  text += "affinity mask " + std::to_string(processors_in_affinity_mask()) + ", cgroup quota ";
  const auto quota = quota_of_process();
  if (!quota) return text + "none";
  char number[32];
  std::snprintf(number, sizeof number, "%.2f", *quota);
  return text + number;
}

void print_line(const WorkerStats& worker) {
  std::fprintf(stderr, "furca:   %-16s", worker.name.c_str());
  if (worker.started) {
    std::fprintf(stderr, " %7.1f %%", 100 * worker.busy());
  } else {
    std::fprintf(stderr, " %9s", "-");
  }
  std::fprintf(stderr, " %12.3f %12" PRIu64 " %12" PRIu64 " %14" PRIu64 " %10" PRIu64 " %12" PRIu64,
               1000 * worker.idle_seconds, worker.jobs_run, worker.steals_won, worker.steals_tried,
               worker.parks, worker.heavy_fences);
  if (worker.stack_high_water > 0) {
    std::fprintf(stderr, " %8zu KiB\n", worker.stack_high_water / 1024);
  } else {
    std::fprintf(stderr, " %12s\n", "-");
  }
}

}  // namespace

bool stats_at_end() noexcept { return stats_from_environment() != StatsChoice::none; }

void print_start(const char* name, std::size_t threads, bool configured, bool bound) noexcept {
  try {
    std::fprintf(stderr, "furca: version %s, %s: %s (%s), %s fence%s\n", FURCA_VERSION_STRING, name,
                 threads_of(threads).c_str(),
                 configured ? "asked for by the program" : reason().c_str(),
                 StdAtomics::asymmetric() ? "adaptive" : "classic",
                 bound ? ", started threads bound to a processor each" : "");
  } catch (const std::exception&) {  // no memory
  }
}

void print_costs(const char* name, const Costs& costs) noexcept {
  const Costs assumed;
  const auto unless = [](bool measured) { return measured ? "" : " (not measured)"; };
  std::fprintf(
      stderr,
      "furca: %s, costs: clock %.1f ns, fence %.1f ns, pause %.1f ns, yield %.0f ns, heavy fence "
      "%.0f ns%s, steal %.0f ns%s, "
      "wake-up %.1f us of the waker's time and %.1f us until the thread looks for work%s\n",
      name, static_cast<double>(costs.clock), static_cast<double>(costs.fence),
      static_cast<double>(costs.pause), static_cast<double>(costs.yield),
      static_cast<double>(costs.heavy_fence), unless(costs.heavy_fence != assumed.heavy_fence),
      static_cast<double>(costs.steal), unless(costs.steal != assumed.steal),
      static_cast<double>(costs.wake) / 1'000, static_cast<double>(costs.wake_latency) / 1'000,
      unless(costs.wake_latency != assumed.wake_latency));
  const float woken_from = costs.wake_latency != assumed.wake_latency
                               ? 0.001F * (costs.wake + costs.wake_latency)
                               : kUnmeasuredWaking * costs.sharing();
  std::fprintf(stderr,
               "furca: %s, so: chunks of %.1f us, loops are shared from %.1f us on while somebody "
               "is awake, and from some %.0f us on by waking a thread, idle threads "
               "look for work for up to %.1f us, "
               "deques that were stolen from fence %" PRIu32 " pops\n",
               name, static_cast<double>(costs.chunk()), static_cast<double>(costs.sharing()),
               static_cast<double>(woken_from), static_cast<double>(costs.looking()),
               costs.fence_tuning().patience);
}

void print_stats(const Stats& stats, const char* name) noexcept {
  std::fprintf(stderr, "furca: %s, in %.3f s: %" PRIu64 " wake-up%s\n", name, stats.seconds,
               stats.wakes, stats.wakes == 1 ? "" : "s");
  std::fprintf(stderr, "furca:   %-16s %9s %12s %12s %12s %14s %10s %12s %12s\n", "thread", "busy",
               "idle ms", "jobs run", "steals won", "steals tried", "parks", "heavy fences",
               "stack");
  for (const WorkerStats& worker : stats.workers) print_line(worker);
}

}  // namespace furca::detail
