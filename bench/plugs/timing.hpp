// The median time of a call, as a line with its name.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

/// Calls for a fifth of a second, after five that are not counted.
template <class Call>
void time_of(const char* name, Call call) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 5; ++i) call();
  std::vector<double> times;
  const auto begin = Clock::now();
  auto before = begin;
  while (before - begin < std::chrono::milliseconds(200)) {
    call();
    const auto after = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    before = after;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("%s\t%.3f\n", name, times[times.size() / 2]);
}

/// argv[1]: furca's threads, or the library's own.
inline bool on_furca(char** argv) { return argv[1][0] == 'f'; }
