// The first parallel call of a program, which starts the threads, and its first milliseconds. Every
// probe has a process of its own, so there is one such call to be timed in each.
#include "steady_work.hpp"

namespace bench {
namespace {

constexpr std::size_t kThreads = 2;

double us_since(std::int64_t start) { return 1e-3 * static_cast<double>(now_ns() - start); }

/// In the global pool: outside of any ThreadPool, unlike all other runs.
double first_of_furca(unsigned) {
  const std::int64_t start = now_ns();
  furca::join([] {}, [] {});
  return us_since(start);
}

#ifdef FURCA_BENCH_TBB
double first_of_tbb(unsigned) {
  const std::int64_t start = now_ns();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, kThreads);
  TbbTaskGroup::join([] {}, [] {});
  return us_since(start);
}
#endif

#ifdef FURCA_BENCH_OPENMP
double first_of_openmp(unsigned) {
  const std::int64_t start = now_ns();
  omp_set_num_threads(static_cast<int>(kThreads));
  OpenMpStatic::loop(kThreads, [](std::size_t) {});
  return us_since(start);
}
#endif

Probe make_probe(const char* family, double (*measure)(unsigned),
                 std::vector<std::string> environment = {}) {
  return {Group::behaviour,
          "first use",
          family,
          "",
          "us",
          "the first fork of two empty arms, or loop of two empty iterations, in a new process "
          "with two threads",
          measure,
          std::move(environment)};
}

const ProbeRegistration kFurca({make_probe("furca", &first_of_furca,
                                           {"FURCA_NUM_THREADS=" + std::to_string(kThreads)})});
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbb({make_probe("oneTBB", &first_of_tbb)});
#endif
#ifdef FURCA_BENCH_OPENMP
const ProbeRegistration kOpenMp({make_probe("OpenMP", &first_of_openmp)});
#endif

/// With the start of the threads. A system may begin them on one processor.
template <class C>
double first_loops(unsigned) {
  SteadyLoops<C> work;
  const std::int64_t start = now_ns();
  C::kContender.enter(kThreads, [&work] { work.run(); });
  return 1e-3 * us_since(start);
}

const ProbeRegistration kFirstLoops(kLoopFamilies + ContenderList<Plain>{}, []<class C>() {
  return Probe{.group = Group::behaviour,
               .name = "first loops",
               .family = C::kContender.family,
               .variant = "",
               .unit = "ms",
               .summary = "forty loops of 250 us in a new process with two threads",
               .measure = &first_loops<C>};
});

}  // namespace
}  // namespace bench
