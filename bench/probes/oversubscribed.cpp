// Twice as many threads as processors, as when two libraries each bring a pool. Nobody should wait long for a thread that the
// system has set aside.
#include "../statistics.hpp"
#include "steady_work.hpp"

namespace bench {
namespace {

constexpr int kPairs = 5;

template <class C, class Work>
double oversubscribed(unsigned threads) {
  std::vector<double> ratios;
  for (int i = 0; i < kPairs; ++i) {
    const double fitting = time_warm<C>(threads, Work{});
    ratios.push_back(time_warm<C>(2 * threads, Work{}) / fitting);
  }
  return median(ratios);
}

template <class C, class Work>
Probe make_probe(const char* name, const char* summary) {
  return {Group::behaviour, name, C::kContender.family, "", "x", summary, &oversubscribed<C, Work>};
}

const ProbeRegistration kLoops(kLoopFamilies, []<class C>() {
  return make_probe<C, SteadyLoops<C>>("oversubscribed loops",
                                       "loops: time with twice as many threads as processors, to that with as many");
});

const ProbeRegistration kForks(kForkFamilies, []<class C>() {
  return make_probe<C, SteadyForks<C>>("oversubscribed forks",
                                       "a tree of forks: time with twice as many threads as processors, to that with as many");
});

}  // namespace
}  // namespace bench
