// A pool that has rested is given work for two: how soon does the second thread run?
#include "../statistics.hpp"
#include "probe.hpp"
#include "processors.hpp"

#include <atomic>
#include <thread>

namespace bench {
namespace {

constexpr int kWakes = 60;
constexpr auto kRestBeforeWake = std::chrono::milliseconds(3);
constexpr std::int64_t kPatienceNs = 50'000'000;

/// Calls `here` on this thread, and `there` on another one if it comes for it.
template <class C, class Here, class There>
void run_both(Here here, There there) {
  if constexpr ((C::kOffers & kJoin) != 0) {
    C::join(here, there);
  } else {
    C::loop(2, [&](std::size_t i) { i == 0 ? here() : there(); });
  }
}

/// From before the fork until the second thread reads the clock.
template <class C>
double wake(unsigned) {
  std::vector<double> ns;
  C::kContender.enter(2, [&ns] {
    for (int i = 0; i < kWakes; ++i) {
      std::this_thread::sleep_for(kRestBeforeWake);
      std::atomic<std::int64_t> awake{0};
      bool came = false;
      const std::int64_t start = now_ns();
      run_both<C>(
          [&] {
            while (awake == 0 && now_ns() - start < kPatienceNs) {
            }
            came = awake != 0;
            stay_on_processor(
                0);  // not sooner: threads that are started now would have to stay there too
          },
          [&awake] {
            awake = now_ns();
            stay_on_processor(1);
          });
      if (came) ns.push_back(static_cast<double>(awake - start));
    }
  });
  return median(ns);
}

template <class C>
Probe make_probe(const char* variant, std::vector<std::string> environment) {
  return {
      Group::micro,
      "wake from sleep",
      C::kContender.family,
      variant,
      "ns",
      "from a fork in a pool at rest until the second thread runs, each on a processor of its own",
      &wake<C>,
      std::move(environment)};
}

const ProbeRegistration kWakeOfFurca({make_probe<Furca>("classic fence", {kClassic}),
                                      make_probe<Furca>("adaptive fence", {kAdaptive})});

constexpr auto kOthers = ContenderList<>{}
#ifdef FURCA_BENCH_TBB
                         + ContenderList<TbbTaskGroup>{}
#endif
#ifdef FURCA_BENCH_OPENMP
                         + ContenderList<OpenMpStatic>{}
#endif
;

const ProbeRegistration kWakeOfOthers(kOthers, []<class C>() { return make_probe<C>("", {}); });

}  // namespace
}  // namespace bench
