// What one task costs that is spawned and not forked: a scope's beside a task_group's, from one
// thread in a row, or as a tree.
#include "spawn_and_run.hpp"

#include <type_traits>

namespace bench {
namespace {

struct FurcaScope : Furca {
  template <class Body>
  static void group(Body body) {
    furca::scope([&](furca::Scope& scope) { body([&scope](auto f) { scope.spawn(f); }); });
  }
};

struct FurcaScopeFifo : Furca {
  template <class Body>
  static void group(Body body) {
    furca::scope_fifo([&](furca::ScopeFifo& scope) { body([&scope](auto f) { scope.spawn(f); }); });
  }
};

template <class Spawn>
void spawn_children(Spawn spawn, int levels) {
  if (levels == 0) return;
  for (int child = 0; child < 2; ++child)
    spawn([spawn, levels] { spawn_children(spawn, levels - 1); });
}

template <class C>
double spawn_tree(unsigned) {
  constexpr int kLevels = 16;
  constexpr double kTasks =
      (2 << kLevels) - 2;  // all nodes but the root, which is the group's own body
  std::vector<double> ns;
  C::kContender.enter(2, [&ns] {
    for (int i = 0; i < 15; ++i) {
      const std::int64_t start = now_ns();
      C::group([](auto spawn) { spawn_children(spawn, kLevels); });
      ns.push_back(static_cast<double>(now_ns() - start) / kTasks);
    }
  });
  return median(ns);
}

using Environment = std::vector<std::string>;

template <class C>
std::vector<Probe> probes_of(const char* variant, const Environment& environment) {
  const auto probe = [&](const char* name, const char* summary, double (*measure)(unsigned)) {
    return Probe{Group::micro, name,    C::kContender.family, variant, "ns",
                 summary,      measure, environment};
  };
  if constexpr (std::is_same_v<C, FurcaScopeFifo>) {
    return {probe("spawn and run, fifo", "as \"spawn and run\", the oldest task first",
                  &spawn_and_run<C, 1>)};
  } else {
    return {probe("spawn and run", "an empty task; one thread alone spawns 1,000, then runs them",
                  &spawn_and_run<C, 1>),
            probe("spawn and run, 2 threads",
                  "the same in a pool of two, whose other thread may steal", &spawn_and_run<C, 2>),
            probe("spawn tree",
                  "a task in a binary tree of 65,536 leaves, spawned by its parent; two threads",
                  &spawn_tree<C>)};
  }
}

const ProbeRegistration kClassicFence(probes_of<FurcaScope>("classic fence", {kClassic}));
const ProbeRegistration kAdaptiveFence(probes_of<FurcaScope>("adaptive fence", {kAdaptive}));
const ProbeRegistration kFifoClassicFence(probes_of<FurcaScopeFifo>("classic fence", {kClassic}));
const ProbeRegistration kFifoAdaptiveFence(probes_of<FurcaScopeFifo>("adaptive fence",
                                                                     {kAdaptive}));
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbb(probes_of<TbbGroup>("", {}));
#endif

}  // namespace
}  // namespace bench
