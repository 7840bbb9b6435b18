// Times the loops of bodies.hpp on one thread, plain and by furca. Usage: main MOST_ELEMENTS. What
// it prints is for run.py: a line for each loop, size and surroundings, with the nanoseconds of a
// call in every round.
#include "bodies.hpp"

#include <furca/thread_pool.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

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

/// In turns, so that what slows the machine for a while slows all of them.
void compare(const kernels::Kernel& kernel, Data& data, Size n) {
  constexpr Size kAtOnce = 100'000;  // elements: a clock is too coarse for fewer
  const Size calls = n < kAtOnce ? kAtOnce / n : 1;
  const int rounds = n > 1'000'000 ? 7 : 41;
  const auto in_the_crowd = [&] { kernels::Everything::in_the_crowd(kernel.number, data, n); };
  const auto time = [&](int way) {
    switch (way) {
      case 0:
        return nanoseconds(calls, [&] { kernel.plain(data, n); });
      case 1:
        return nanoseconds(calls, [&] { kernel.alone(data, n); });
      case 2:
        return nanoseconds(calls, in_the_crowd);
      default:
        return nanoseconds(calls, [&] { kernel.nested(data, n); });
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
  if (argc != 2) return 2;
  const Size most = std::strtoul(argv[1], nullptr, 10);
  furca::ThreadPool pool({.threads = 1});
  pool.install([most] {
    Data small(1'000);
    const auto begin =
        std::chrono::steady_clock::now();  // a processor that was idle is slow at first
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(100))
      kernels::plain<kernels::Axpy>(small, 1'000);
    for (Size n = 1'000; n <= most; n *= 10) {
      Data data(n);
      for (const kernels::Kernel& kernel : kernels::Everything::kernels()) compare(kernel, data, n);
    }
  });
}
