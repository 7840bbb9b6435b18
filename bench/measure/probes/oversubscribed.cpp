// Twice as many threads as processors, as when two libraries each bring a pool, and 64, as when
// somebody took the number from another machine. Nobody should wait long for a thread that the
// system has set aside.
#include "../statistics.hpp"
#include "steady_work.hpp"

namespace bench {
namespace {

constexpr int kPairs = 5;

template <class C, class Work, bool kMany>
double slowdown(unsigned threads) {
  std::vector<double> ratios;
  for (int i = 0; i < kPairs; ++i) {
    const double fitting = time_warm<C>(threads, Work{});
    ratios.push_back(time_warm<C>(kMany ? 64 : 2 * threads, Work{}) / fitting);
  }
  return median(ratios);
}

template <class C, class Work, bool kMany>
Probe make_probe(const char* name, const char* summary) {
  return Probe{.group = Group::behaviour,
               .name = name,
               .family = C::kContender.family,
               .variant = "",
               .unit = "x",
               .summary = summary,
               .measure = &slowdown<C, Work, kMany>,
               .least = kMany ? Effort::full : Effort::quick};
}

const ProbeRegistration kLoops(kLoopFamilies, []<class C>() {
  return make_probe<C, SteadyLoops<C>, false>(
      "oversubscribed loops",
      "loops: time with twice as many threads as processors, to that with as many");
});

const ProbeRegistration kForks(kForkFamilies, []<class C>() {
  return make_probe<C, SteadyForks<C>, false>(
      "oversubscribed forks",
      "a tree of forks: time with twice as many threads as processors, to that with as many");
});

const ProbeRegistration kLoopsOf64(kLoopFamilies, []<class C>() {
  return make_probe<C, SteadyLoops<C>, true>(
      "64 threads, loops", "loops: time with 64 threads, to that with as many as processors");
});

const ProbeRegistration kForksOf64(kForkFamilies, []<class C>() {
  return make_probe<C, SteadyForks<C>, true>(
      "64 threads, forks",
      "a tree of forks: time with 64 threads, to that with as many as processors");
});

}  // namespace
}  // namespace bench
