// What the programs of bench/ways/run.py have in common: a call is checked, then timed, and the
// time printed.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace bench {

/// x, of which the compiler knows nothing any more: else it computes plain recursions beforehand,
/// or once for all calls.
template <class T>
T unknown(T x) {
  volatile T hidden = x;
  return hidden;
}

/// Prints the median time of a call in seconds: of as many calls as fit into a tenth of a second,
/// three at least. The first one is not timed: threads start in it, and loops learn what they cost.
/// Returns whether each call gave what is expected.
template <class Call>
bool print_time(std::uint64_t expected, Call call) {
  using Clock = std::chrono::steady_clock;
  bool right = call() == expected;
  std::vector<double> seconds;
  double sum = 0;
  while (seconds.size() < 3 || sum < 0.1) {
    const Clock::time_point start = Clock::now();
    right = call() == expected && right;
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    sum += seconds.back();
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  if (!right) std::fputs("wrong result\n", stderr);
  std::printf("%.9f\n", *middle);
  return right;
}

}  // namespace bench
