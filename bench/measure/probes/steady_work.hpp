// Some milliseconds of work for every thread, the same each time: what is slowed down by other
// threads on the processors.
#pragma once

#include "../busy_work.hpp"
#include "probe.hpp"

namespace bench {

/// Forty loops of a quarter of a millisecond, if one thread ran them.
template <class C>
struct SteadyLoops {
  std::vector<std::uint64_t> out = std::vector<std::uint64_t>(500);

  void run() {
    for (int i = 0; i < 40; ++i)
      C::loop(out.size(), [this](std::size_t k) { out[k] += busy_work(k, 250); });
  }
};

/// A thousand leaves of ten microseconds.
template <class C>
struct SteadyForks {
  std::uint64_t sum = 0;

  void run() { sum += tree(10); }

 private:
  static std::uint64_t tree(unsigned depth) {
    if (depth == 0) return busy_work(1, 5000);
    const auto [a, b] =
        C::join([depth] { return tree(depth - 1); }, [depth] { return tree(depth - 1); });
    return a + b;
  }
};

/// Milliseconds that a second run of the work takes, in the same pool as the first.
template <class C, class Work>
double time_warm(unsigned threads, Work work) {
  double ms = 0;
  C::kContender.enter(threads, [&] {
    work.run();
    const std::int64_t start = now_ns();
    work.run();
    ms = 1e-6 * static_cast<double>(now_ns() - start);
  });
  return ms;
}

}  // namespace bench
