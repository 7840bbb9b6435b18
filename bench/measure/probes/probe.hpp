// What probes have in common: their families, how they make themselves known, clocks.
#pragma once

#include "../contenders.hpp"

#include <chrono>
#include <cstdint>
#include <ctime>
#include <vector>

namespace bench {

/// One contender of each family, as it is used when nobody tunes it.
inline constexpr auto kLoopFamilies = ContenderList<Furca>{}
#ifdef FURCA_BENCH_TBB
                                      + ContenderList<TbbAuto>{}
#endif
#ifdef FURCA_BENCH_OPENMP
                                      + ContenderList<OpenMpStatic>{}
#endif
;

/// Loops without a runtime: what they, and what is between them, take anyhow.
struct Plain : Serial {
  template <class F>
  static void loop(std::size_t n, F&& body) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

/// OpenMP is left to the loops. oneTBB has its task_group, whose stacks stay lower than those of
/// parallel_invoke.
inline constexpr auto kForkFamilies = ContenderList<Furca>{}
#ifdef FURCA_BENCH_TBB
                                      + ContenderList<TbbTaskGroup>{}
#endif
;

/// One static object of this type in the probe's file makes it known.
class ProbeRegistration {
 public:
  explicit ProbeRegistration(std::vector<Probe> made) {
    for (Probe& probe : made) probes().push_back(std::move(probe));
  }

  /// make.operator()<C>() for each contender C of the list.
  template <class... C, class Make>
  ProbeRegistration(ContenderList<C...>, [[maybe_unused]] Make make)
      : ProbeRegistration(std::vector<Probe>{make.template operator()<C>()...}) {}
};

inline constexpr const char* kClassic = "FURCA_FENCE=classic";
inline constexpr const char* kAdaptive = "FURCA_FENCE=adaptive";

/// The same on all processors.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Processor time of the whole process so far.
inline double processor_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace bench
