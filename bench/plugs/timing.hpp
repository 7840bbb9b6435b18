// The median time of a call, as a line with its name.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

/// Calls for a fifth of a second, after five that are not counted. What prepares a call is not
/// timed.
template <class Call, class Prepare = decltype([] {})>
void time_of(const char* name, Call call, Prepare prepare = {}) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 5; ++i) {
    prepare();
    call();
  }
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 7 || Clock::now() - begin < std::chrono::milliseconds(200)) {
    prepare();
    const auto start = Clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("%s\t%.3f\n", name, times[times.size() / 2]);
}

/// argv[1]: furca's threads, or the library's own.
inline bool on_furca(char** argv) { return argv[1][0] == 'f'; }
