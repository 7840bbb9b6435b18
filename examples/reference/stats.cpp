// stats and debug_dump, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/stats.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>

namespace {

void one_call() {
  //! [stats]
  furca::ThreadPool pool({.threads = 4, .name = "solver"});
  const furca::Stats before = pool.stats();
  std::atomic<int> calls{0};
  pool.install([&] { furca::parallel_for(0, 1000, [&](int) { ++calls; }); });
  const furca::Stats after = pool.stats();
  std::printf("%llu steals in %.6f s\n",
              static_cast<unsigned long long>(after.total().steals_won - before.total().steals_won),
              after.seconds - before.seconds);
  //! [stats]
  examples::expect(calls == 1000, "every index was called");
  examples::expect(after.workers.size() == 4 && after.workers[0].name == "solver-0",
                   "three threads and the caller");
}

void all_threads() {
  furca::ThreadPool pool({.threads = 3});
  pool.install([] { furca::parallel_for(0, 1000, [](int) {}); });
  //! [WorkerStats]
  const furca::Stats stats = pool.stats();
  furca::WorkerCounts started;
  for (const furca::WorkerStats& worker : stats.workers) {
    if (!worker.started) continue;  // a caller: what it did outside of furca counts as busy
    std::printf("%s: busy %.0f %% of %.3f s, %.3f s idle; %llu jobs, %llu of %llu steals won\n",
                worker.name.c_str(), 100 * worker.busy(), worker.seconds, worker.idle_seconds,
                static_cast<unsigned long long>(worker.jobs_run),
                static_cast<unsigned long long>(worker.steals_won),
                static_cast<unsigned long long>(worker.steals_tried));
    std::printf("  slept %llu times, %llu heavy fences, %zu bytes of stack\n",
                static_cast<unsigned long long>(worker.parks),
                static_cast<unsigned long long>(worker.heavy_fences), worker.stack_high_water);
    started += worker;
  }
  std::printf("together they slept for %.3f s\n", started.idle_seconds);
  std::printf("%llu wake-ups in %.3f s\n", static_cast<unsigned long long>(stats.wakes),
              stats.seconds);
  //! [WorkerStats]
  examples::expect(stats.total().jobs_run <= stats.total().steals_won,
                   "nothing but stolen halves of the loop was run");
}

void of_this_pool() {
  //! [furca::stats]
  const std::uint64_t steals = furca::stats().total().steals_won;  // of the global pool, here
  //! [furca::stats]
  examples::expect(steals == 0, "nothing has run there yet");
}

void dump() {
  //! [debug_dump]
  furca::debug_dump();  // in gdb: call furca::debug_dump()
  //! [debug_dump]
}

}  // namespace

int main() {
  one_call();
  all_threads();
  of_this_pool();
  dump();
  return examples::unexpected;
}
