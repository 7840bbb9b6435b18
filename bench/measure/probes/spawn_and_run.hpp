// What probes of spawned tasks have in common: a thousand empty ones, spawned by one thread that
// waits for them.
#pragma once

#include "../statistics.hpp"
#include "probe.hpp"

namespace bench {

// A family's way to spawn: group(body) calls body(spawn), where spawn(f) starts a task of the
// group, and waits for all of them.

#ifdef FURCA_BENCH_TBB
struct TbbGroup : TbbTaskGroup {
  template <class Body>
  static void group(Body body) {
    tbb::task_group tasks;
    body([&tasks](auto f) { tasks.run(f); });
    tasks.wait();
  }
};
#endif

inline constexpr int kTasksInGroup = 1'000;
inline constexpr int kGroups = 500;

/// One thread spawns, all take part in running.
template <class C, unsigned kThreads>
double spawn_and_run(unsigned) {
  std::vector<double> ns;
  C::kContender.enter(kThreads, [&ns] {
    for (int i = 0; i < kGroups; ++i) {
      const std::int64_t start = now_ns();
      C::group([](auto spawn) {
        for (int task = 0; task < kTasksInGroup; ++task) spawn([] {});
      });
      ns.push_back(static_cast<double>(now_ns() - start) / kTasksInGroup);
    }
  });
  return median(ns);
}

}  // namespace bench
