// What it costs to wait for the end of a stolen arm.
#include "../statistics.hpp"
#include "probe.hpp"
#include "processors.hpp"

#include <atomic>

namespace bench {
namespace {

void spin_until(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) {
  }
}

/// From the end of a stolen arm until its join returns. The forker is back from the other arm by
/// then, and spins.
double join_stolen(unsigned) {
  constexpr std::int64_t kHeadStartNs =
      2'000;  // for the forker to begin its wait; not long enough for it to fall asleep
  std::vector<double> ns;
  furca::ThreadPool({.threads = 2}).install([&ns] {
    stay_on_processor(0);
    for (int i = 0; i < 500; ++i) {
      std::atomic<bool> stolen{false};
      std::atomic<bool> waiting{false};
      std::int64_t end = 0;
      furca::join(
          [&] {
            spin_until(stolen);
            waiting.store(true, std::memory_order_release);
          },
          [&] {
            stay_on_processor(1);
            stolen.store(true, std::memory_order_release);
            spin_until(waiting);
            const std::int64_t start = now_ns();
            do {
              end = now_ns();
            } while (end - start < kHeadStartNs);
          });
      ns.push_back(static_cast<double>(now_ns() - end));
    }
  });
  return median(ns);
}

std::vector<Probe> stolen_arm_probes(const char* variant, const char* environment) {
  return {{Group::micro,
           "join of a stolen arm",
           "furca",
           variant,
           "ns",
           "from the arm's end until its join returns; both threads awake, each on a processor of "
           "its own",
           &join_stolen,
           {environment}}};
}

const ProbeRegistration kClassicJoin(stolen_arm_probes("classic fence", kClassic));
const ProbeRegistration kAdaptiveJoin(stolen_arm_probes("adaptive fence", kAdaptive));

}  // namespace
}  // namespace bench
