// 64 threads on whatever processors there are, as when somebody took the number from another
// machine. Nobody should wait long for a thread that the system has set aside.
#include "../statistics.hpp"
#include "steady_work.hpp"

namespace bench {
namespace {

constexpr int kTrials = 5;

template <class C, class Work>
double slowdown(unsigned threads) {
  std::vector<double> ratios;
  for (int i = 0; i < kTrials; ++i) {
    const double fitting = time_warm<C>(threads, Work{});
    ratios.push_back(time_warm<C>(64, Work{}) / fitting);
  }
  return median(ratios);
}

template <class C, class Work>
Probe crowded_probe(const char* name, const char* summary) {
  return Probe{.group = Group::behaviour,
               .name = name,
               .family = C::kContender.family,
               .variant = "",
               .unit = "x",
               .summary = summary,
               .measure = &slowdown<C, Work>,
               .least = Effort::full};
}

const ProbeRegistration kCrowdedLoops(kLoopFamilies, []<class C>() {
  return crowded_probe<C, SteadyLoops<C>>(
      "64 threads, loops", "loops: time with 64 threads, to that with as many as processors");
});

const ProbeRegistration kCrowdedForks(kForkFamilies, []<class C>() {
  return crowded_probe<C, SteadyForks<C>>(
      "64 threads, forks",
      "a tree of forks: time with 64 threads, to that with as many as processors");
});

}  // namespace
}  // namespace bench
