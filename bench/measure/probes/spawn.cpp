// What one task costs that is spawned and not forked: a scope's beside a task_group's.
#include "spawn_and_run.hpp"

namespace bench {
namespace {

struct FurcaScope : Furca {
  template <class Body>
  static void group(Body body) {
    furca::scope([&](furca::Scope& scope) { body([&scope](auto f) { scope.spawn(f); }); });
  }
};

using Environment = std::vector<std::string>;

template <class C>
std::vector<Probe> scope_probes(const char* variant, const Environment& environment) {
  const auto probe = [&](const char* name, const char* summary, double (*measure)(unsigned)) {
    return Probe{Group::micro, name,    C::kContender.family, variant, "ns",
                 summary,      measure, environment};
  };
  return {probe("spawn and run", "an empty task; one thread alone spawns 1,000, then runs them",
                &spawn_and_run<C, 1>),
          probe("spawn and run, 2 threads",
                "the same in a pool of two, whose other thread may steal", &spawn_and_run<C, 2>)};
}

const ProbeRegistration kClassicScope(scope_probes<FurcaScope>("classic fence", {kClassic}));
const ProbeRegistration kAdaptiveScope(scope_probes<FurcaScope>("adaptive fence", {kAdaptive}));
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbbTaskGroup(scope_probes<TbbGroup>("", {}));
#endif

}  // namespace
}  // namespace bench
