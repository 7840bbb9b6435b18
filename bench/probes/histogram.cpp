// One addition an element, with the two ways that a library has for it: a reduction that adds in place, and a value for each thread that is
// asked for with each element. Beside the plain loop. As users write them.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#ifdef FURCA_BENCH_TBB
#include <oneapi/tbb/enumerable_thread_specific.h>
#endif

#include <array>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::size_t kElements = 8'000'000;
constexpr int kTurns = 15;

class Histogram {
 public:
  void add(int value) { ++bins_[static_cast<unsigned>(value) % kBins]; }
  Histogram& operator+=(const Histogram& other) {
    for (std::size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
    return *this;
  }
  bool operator==(const Histogram&) const = default;

 private:
  static constexpr std::size_t kBins = 256;
  std::array<std::uint64_t, kBins> bins_{};
};

using Values = std::vector<int>;

constexpr auto kAdd = [](Histogram& some, int value) { some.add(value); };
constexpr auto kCombine = [](Histogram a, const Histogram& b) { return a += b; };

struct Plain : Serial {
  static constexpr const char* kSummary = "one of 8 million ints, added to 256 bins: the plain loop";
  static Histogram count(const Values& values) {
    Histogram all;
    for (const int value : values) all.add(value);
    return all;
  }
};

struct FurcaReduction : Furca {
  static constexpr const char* kSummary = "one of 8 million ints, added to 256 bins: a reduction that adds in place; one thread";
  static Histogram count(const Values& values) { return furca::parallel_reduce(values, Histogram(), kAdd, kCombine); }
};

struct FurcaPerWorker : Furca {
  static constexpr const char* kSummary = "one of 8 million ints, added to 256 bins: those of the thread, asked for with each; one thread";
  static Histogram count(const Values& values) {
    furca::PerWorker<Histogram> partial;
    furca::parallel_for(values, [&](int value) { partial.local().add(value); });
    return partial.combine(kCombine);
  }
};

#ifdef FURCA_BENCH_TBB
struct TbbReduction : TbbAuto {
  static constexpr const char* kSummary = "one of 8 million ints, added to 256 bins: a reduction that adds in place; one thread";
  static Histogram count(const Values& values) {
    return TbbAuto::reduce(values.size(), Histogram(), [&](Histogram& some, std::size_t i) { some.add(values[i]); }, kCombine);
  }
};

struct TbbThreadSpecific : TbbAuto {
  static constexpr const char* kSummary = "one of 8 million ints, added to 256 bins: those of the thread, asked for with each; one thread";
  static Histogram count(const Values& values) {
    tbb::enumerable_thread_specific<Histogram> partial;
    TbbAuto::loop(values.size(), [&](std::size_t i) { partial.local().add(values[i]); });
    return partial.combine(kCombine);
  }
};
#endif

template <class Way, unsigned kThreads>
double ns_an_element(unsigned) {
  Values values(kElements);
  for (std::size_t i = 0; i < kElements; ++i) values[i] = static_cast<int>(mix(i) >> 40U);
  const Histogram expected = Plain::count(values);
  std::vector<double> ns;
  Way::kContender.enter(kThreads, [&] {
    for (int turn = 0; turn <= kTurns; ++turn) {
      const std::int64_t start = now_ns();
      const Histogram found = Way::count(values);
      const std::int64_t end = now_ns();
      if (found != expected) throw std::logic_error("histogram: an element too few or too many");
      if (turn > 0) ns.push_back(static_cast<double>(end - start) / static_cast<double>(kElements));
    }
  });
  return median(ns);
}

template <class Way>
std::vector<Probe> probes_of(const char* name, const char* name_on_two) {
  const auto probe = [](const char* which, const char* summary, double (*measure)(unsigned)) {
    return Probe{.group = Group::micro,
                 .name = which,
                 .family = Way::kContender.family,
                 .variant = "",
                 .unit = "ns",
                 .summary = summary,
                 .measure = measure,
                 .least = Effort::normal};
  };
  return {probe(name, Way::kSummary, &ns_an_element<Way, 1>),
          probe(name_on_two, "the same, two threads", &ns_an_element<Way, 2>)};
}

constexpr const char* kReduced = "histogram in place";
constexpr const char* kReducedOnTwo = "histogram in place, 2 threads";
constexpr const char* kLocal = "histogram by local()";
constexpr const char* kLocalOnTwo = "histogram by local(), 2 threads";

const ProbeRegistration kReduction(probes_of<FurcaReduction>(kReduced, kReducedOnTwo));
const ProbeRegistration kReductionPlain(probes_of<Plain>(kReduced, kReducedOnTwo));
const ProbeRegistration kPerWorker(probes_of<FurcaPerWorker>(kLocal, kLocalOnTwo));
const ProbeRegistration kPerWorkerPlain(probes_of<Plain>(kLocal, kLocalOnTwo));
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbbReduction(probes_of<TbbReduction>(kReduced, kReducedOnTwo));
const ProbeRegistration kTbbThreadSpecific(probes_of<TbbThreadSpecific>(kLocal, kLocalOnTwo));
#endif

}  // namespace
}  // namespace bench
