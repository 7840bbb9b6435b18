// Twice as many threads as processors, as when two libraries each bring a pool, and 64, as when somebody took the number from
// another machine. Nobody should wait long for a thread that the system has set aside.
#include "../statistics.hpp"
#include "steady_work.hpp"

namespace bench {
namespace {

constexpr int kPairs = 5;

template <class C, class Work>
double slowdown(unsigned threads, unsigned more) {
  std::vector<double> ratios;
  for (int i = 0; i < kPairs; ++i) {
    const double fitting = time_warm<C>(threads, Work{});
    ratios.push_back(time_warm<C>(more, Work{}) / fitting);
  }
  return median(ratios);
}

template <class C, class Work>
double oversubscribed(unsigned threads) {
  return slowdown<C, Work>(threads, 2 * threads);
}

template <class C, class Work>
double sixty_four(unsigned threads) {
  return slowdown<C, Work>(threads, 64);
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

template <class C, class Work>
Probe make_probe_of_64(const char* name, const char* summary) {
  return Probe{.group = Group::behaviour,
               .name = name,
               .family = C::kContender.family,
               .variant = "",
               .unit = "x",
               .summary = summary,
               .measure = &sixty_four<C, Work>,
               .least = Effort::full};
}

const ProbeRegistration kLoopsOf64(kLoopFamilies, []<class C>() {
  return make_probe_of_64<C, SteadyLoops<C>>("64 threads, loops",
                                             "loops: time with 64 threads, to that with as many as processors");
});

const ProbeRegistration kForksOf64(kForkFamilies, []<class C>() {
  return make_probe_of_64<C, SteadyForks<C>>("64 threads, forks",
                                             "a tree of forks: time with 64 threads, to that with as many as processors");
});

}  // namespace
}  // namespace bench
