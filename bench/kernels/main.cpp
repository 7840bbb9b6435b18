// Times the loops of bodies.hpp on one thread: furca beside the plain loop. Usage: main [MOST_ELEMENTS]. What it prints is for run.py: a line for each
// loop, size and surroundings, with the ratios of all rounds.
#include "bodies.hpp"

#include <furca/thread_pool.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using kernels::Data;
using kernels::Size;

template <class Run>
double nanoseconds(Size calls, Run run) {
  const auto start = std::chrono::steady_clock::now();
  for (Size k = 0; k < calls; ++k) run();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(calls);
}

/// In turns, a round being a tenth of a millisecond or one call of each: what slows the machine for a while slows both.
void compare(const kernels::Kernel& kernel, Data& data, Size n) {
  constexpr Size kElements = 100'000;  // of a round
  const Size calls = n < kElements ? kElements / n : 1;
  const int rounds = n > 1'000'000 ? 7 : 41;
  const auto in_the_crowd = [&] { kernels::Everything::in_the_crowd(kernel.number, data, n); };
  const auto time = [&](int way) {
    switch (way) {
      case 0: return nanoseconds(calls, [&] { kernel.plain(data, n); });
      case 1: return nanoseconds(calls, [&] { kernel.alone(data, n); });
      case 2: return nanoseconds(calls, in_the_crowd);
      default: return nanoseconds(calls, [&] { kernel.nested(data, n); });
    }
  };
  std::vector<double> times[4];
  for (int way = 0; way < 4; ++way) (void)time(way);
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < 4; ++k) {
      const int way = (k + round) % 4;
      times[way].push_back(time(way));
    }
  }
  const char* const names[] = {"plain", "alone", "crowded", "nested"};
  for (int way = 0; way < 4; ++way) {
    std::printf("%s\t%zu\t%s", kernel.name, n, names[way]);
    for (const double one : times[way]) std::printf("\t%.1f", one);
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Size most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000'000;
  furca::ThreadPool pool({.threads = 1});
  pool.install([most] {
    for (Size n = 1'000; n <= most; n *= 10) {
      Data data(n);
      for (const kernels::Kernel& kernel : kernels::Everything::kernels()) compare(kernel, data, n);
    }
  });
}
