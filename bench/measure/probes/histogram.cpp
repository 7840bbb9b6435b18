// One addition an element, with the ways that a library has for it: a reduction that adds in place,
// and a value for each thread that is asked for with each element; and both by chunks. Beside the
// plain loop. Into 256 bins, and into 100,000, which are expensive to make and to combine. As users
// write them.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#ifdef FURCA_BENCH_TBB
#include <oneapi/tbb/enumerable_thread_specific.h>
#endif

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bench {
namespace {

constexpr std::size_t kElements = 8'000'000;
constexpr int kTurns = 15;

template <std::size_t kBins>
class Histogram {
 public:
  void add(int value) { ++bins_[static_cast<unsigned>(value) % kBins]; }
  /// A function of its own, for inlined beside a clock the plain loop was compiled into something
  /// half as fast.
  [[gnu::noinline]] void add_all(std::span<const int> values) {
    for (const int value : values) add(value);
  }
  Histogram& operator+=(const Histogram& other) {
    for (std::size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
    return *this;
  }
  bool operator==(const Histogram&) const = default;

 private:
  static constexpr bool kOnHeap = kBins > 1'000;
  using Bins = std::conditional_t<kOnHeap, std::vector<std::uint64_t>,
                                  std::array<std::uint64_t, kOnHeap ? 0 : kBins>>;
  static Bins none() {
    if constexpr (kOnHeap) {
      return Bins(kBins);
    } else {
      return Bins{};
    }
  }

  Bins bins_ = none();
};

using Small = Histogram<256>;
using Large = Histogram<100'000>;
using Values = std::vector<int>;

constexpr auto kAdd = [](auto& some, int value) { some.add(value); };
constexpr auto kAddAll = [](auto& some, std::span<const int> values) { some.add_all(values); };
constexpr auto kCombine = [](auto a, const auto& b) { return std::move(a += b); };

template <class H>
struct Plain : Serial {
  static constexpr const char* kHow = "the plain loop";
  static H count(const Values& values) {
    H all;
    all.add_all(values);
    return all;
  }
};

template <class H>
struct FurcaReduction : Furca {
  static constexpr const char* kHow = "a reduction that adds in place; one thread";
  static H count(const Values& values) {
    return furca::parallel_reduce(values, H(), kAdd, kCombine);
  }
};

template <class H>
struct FurcaChunks : Furca {
  static constexpr const char* kHow = "a reduction that adds chunks in place; one thread";
  static H count(const Values& values) {
    return furca::parallel_reduce_chunks(values, H(), kAddAll, kCombine);
  }
};

template <class H>
struct FurcaPerWorker : Furca {
  static constexpr const char* kHow = "those of the thread, asked for with each; one thread";
  static H count(const Values& values) {
    furca::PerWorker<H> partial;
    furca::parallel_for(values, [&](int value) { partial.local().add(value); });
    return partial.combine(kCombine);
  }
};

template <class H>
struct FurcaPerWorkerChunks : Furca {
  static constexpr const char* kHow = "those of the thread, asked for with each chunk; one thread";
  static H count(const Values& values) {
    furca::PerWorker<H> partial;
    furca::parallel_for_chunks(values,
                               [&](std::span<const int> part) { partial.local().add_all(part); });
    return partial.combine(kCombine);
  }
};

#ifdef FURCA_BENCH_TBB
template <class H>
struct TbbReduction : TbbAuto {
  static constexpr const char* kHow = "a reduction that adds in place; one thread";
  static H count(const Values& values) {
    return TbbAuto::reduce(
        values.size(), H(), [&](H& some, std::size_t i) { some.add(values[i]); }, kCombine);
  }
};

template <class H>
struct TbbThreadSpecific : TbbAuto {
  static constexpr const char* kHow = "those of the thread, asked for with each; one thread";
  static H count(const Values& values) {
    tbb::enumerable_thread_specific<H> partial;
    TbbAuto::loop(values.size(), [&](std::size_t i) { partial.local().add(values[i]); });
    return partial.combine(kCombine);
  }
};

template <class H>
struct TbbThreadSpecificChunks : TbbAuto {
  static constexpr const char* kHow = "those of the thread, asked for with each range; one thread";
  static H count(const Values& values) {
    tbb::enumerable_thread_specific<H> partial;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, values.size()), [&](const auto& range) {
      partial.local().add_all(std::span(values).subspan(range.begin(), range.size()));
    });
    return partial.combine(kCombine);
  }
};
#endif

template <class H, template <class> class Way, unsigned kThreads>
double ns_an_element(unsigned) {
  Values values(kElements);
  for (std::size_t i = 0; i < kElements; ++i) values[i] = static_cast<int>(mix(i) >> 40U);
  const H expected = Plain<H>::count(values);
  std::vector<double> ns;
  Way<H>::kContender.enter(kThreads, [&] {
    for (int turn = 0; turn <= kTurns; ++turn) {
      const std::int64_t start = now_ns();
      const H found = Way<H>::count(values);
      const std::int64_t end = now_ns();
      if (found != expected) throw std::logic_error("histogram: an element too few or too many");
      if (turn > 0) ns.push_back(static_cast<double>(end - start) / static_cast<double>(kElements));
    }
  });
  return median(ns);
}

template <class H, template <class> class Way>
std::vector<Probe> probes_of(const std::string& name) {
  const std::string bins = std::is_same_v<H, Small> ? "256" : "100,000";
  const auto probe = [](const std::string& which, const std::string& summary,
                        double (*measure)(unsigned)) {
    return Probe{.group = Group::micro,
                 .name = which,
                 .family = Way<H>::kContender.family,
                 .variant = "",
                 .unit = "ns",
                 .summary = summary,
                 .measure = measure,
                 .least = Effort::normal};
  };
  return {probe(name, "one of 8 million ints, added to " + bins + " bins: " + Way<H>::kHow,
                &ns_an_element<H, Way, 1>),
          probe(name + ", 2 threads", "the same, two threads", &ns_an_element<H, Way, 2>)};
}

template <class H>
void register_all(const std::string& size) {
  const ProbeRegistration reduction(probes_of<H, FurcaReduction>(size + "histogram in place"));
  const ProbeRegistration reduction_plain(probes_of<H, Plain>(size + "histogram in place"));
  const ProbeRegistration chunks(probes_of<H, FurcaChunks>(size + "histogram in place, chunks"));
  const ProbeRegistration chunks_plain(probes_of<H, Plain>(size + "histogram in place, chunks"));
  const ProbeRegistration local(probes_of<H, FurcaPerWorker>(size + "histogram by local()"));
  const ProbeRegistration local_plain(probes_of<H, Plain>(size + "histogram by local()"));
  const ProbeRegistration local_chunks(
      probes_of<H, FurcaPerWorkerChunks>(size + "histogram by local(), chunks"));
  const ProbeRegistration local_chunks_plain(
      probes_of<H, Plain>(size + "histogram by local(), chunks"));
#ifdef FURCA_BENCH_TBB
  const ProbeRegistration tbb_reduction(probes_of<H, TbbReduction>(size + "histogram in place"));
  const ProbeRegistration tbb_local(probes_of<H, TbbThreadSpecific>(size + "histogram by local()"));
  const ProbeRegistration tbb_local_chunks(
      probes_of<H, TbbThreadSpecificChunks>(size + "histogram by local(), chunks"));
#endif
}

const struct Registered {
  Registered() {
    register_all<Small>("");
    register_all<Large>("large ");
  }
} kRegistered;

}  // namespace
}  // namespace bench
