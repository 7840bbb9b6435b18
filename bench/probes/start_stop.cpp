// What a pool costs a program that is over in a moment, or that makes one for each piece of work.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#include <atomic>
#include <limits>
#include <new>

namespace bench {
namespace {

constexpr int kRepeats = 31;
constexpr std::int64_t kPatienceNs = 1'000'000'000;

struct FurcaLife : Furca {
  template <class F>
  static bool run(unsigned threads, F inside) {
    furca::ThreadPool({.threads = threads}).install(inside);
    return true;
  }
};

#ifdef FURCA_BENCH_TBB
struct TbbLife : TbbAuto {
  /// Without the handle oneTBB's threads would stay.
  template <class F>
  static bool run(unsigned threads, F inside) {
    tbb::task_scheduler_handle handle{tbb::attach{}};
    kContender.enter(threads, inside);
    return tbb::finalize(handle, std::nothrow);
  }
};
#endif

#ifdef FURCA_BENCH_OPENMP
struct OpenMpLife : OpenMpStatic {
  template <class F>
  static bool run(unsigned threads, F inside) {
    kContender.enter(threads, inside);
    return omp_pause_resource_all(omp_pause_hard) == 0;
  }
};
#endif

/// Loops until each of the threads has run an iteration. False: some did not, for a second.
template <class C>
bool loop_on_all(unsigned threads) {
  static std::atomic<int> round{0};
  const int this_round = ++round;
  std::atomic<unsigned> seen{0};
  std::vector<std::uint64_t> out(16 * std::size_t{threads});
  const std::int64_t start = now_ns();
  while (seen < threads) {
    C::loop(out.size(), [&, this_round](std::size_t i) {
      thread_local int last_round = 0;
      if (last_round != this_round) {
        last_round = this_round;
        ++seen;
      }
      out[i] += busy_work(i, 500);
    });
    if (now_ns() - start > kPatienceNs) return false;
  }
  return true;
}

template <class Life>
double start_stop(unsigned threads) {
  std::vector<double> us;
  for (int i = 0; i < kRepeats; ++i) {
    bool all_ran = false;
    const std::int64_t start = now_ns();
    const bool ended = Life::run(threads, [&] { all_ran = loop_on_all<Life>(threads); });
    if (!ended || !all_ran) return std::numeric_limits<double>::quiet_NaN();
    us.push_back(1e-3 * static_cast<double>(now_ns() - start));
  }
  return median(us);
}

constexpr auto kLives = ContenderList<FurcaLife>{}
#ifdef FURCA_BENCH_TBB
                        + ContenderList<TbbLife>{}
#endif
#ifdef FURCA_BENCH_OPENMP
                        + ContenderList<OpenMpLife>{}
#endif
    ;

const ProbeRegistration kRegistration(kLives, []<class Life>() {
  return Probe{Group::behaviour,
               "start and stop",
               Life::kContender.family,
               "",
               "us",
               "start the threads, loop until each has run an iteration, end the threads",
               &start_stop<Life>};
});

}  // namespace
}  // namespace bench
