// furca-kept-parts: in a row of loops over one range, how many elements does another thread have than in the call before?
//
//   furca-kept-parts [MILLISECONDS [CALLS]]     of work in a call on one thread (2), and how often it is called (40)
//
// On pools of 2, 4 and 8 threads, for an even loop and one whose upper quarter is three times as dear. With more threads than processors parts are kept only
// by calls that are longer than the system lets a thread run at a time: a thread that has no processor loses its part to one that has.
// bench/simulator counts the same for machines with a processor for each thread (--parts).
#include <furca/furca.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kElements = 20'000;

void work(int turns) {
  volatile int turn = 0;
  while (turn < turns) turn = turn + 1;
}

double milliseconds_of(int turns) {
  const auto begin = std::chrono::steady_clock::now();
  work(turns);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

struct Moved {
  double percent;
  double milliseconds;  // of a call
};

Moved count(std::size_t threads, bool even, int turns, int calls) {
  constexpr int kWarmUp = 5;
  furca::ThreadPool pool({.threads = threads});
  std::vector<std::size_t> before(kElements);
  std::vector<std::size_t> now(kElements);
  std::size_t moved = 0;
  double milliseconds = 0;
  pool.install([&] {
    for (int call = 0; call < kWarmUp + calls; ++call) {
      const auto begin = std::chrono::steady_clock::now();
      furca::parallel_for(std::size_t{0}, kElements, [&, who = now.data()](std::size_t i) {
        work(even || i < kElements / 4 * 3 ? turns : 3 * turns);
        who[i] = furca::thread_index();
      });
      if (call >= kWarmUp) {
        milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        for (std::size_t i = 0; i < kElements; ++i) moved += now[i] != before[i] ? 1 : 0;
      }
      std::swap(now, before);
    }
  });
  return {100.0 * static_cast<double>(moved) / static_cast<double>(kElements) / calls, milliseconds / calls};
}

}  // namespace

int main(int argc, char** argv) {
  const double wanted = argc > 1 ? std::atof(argv[1]) : 2;
  const int calls = argc > 2 ? std::atoi(argv[2]) : 40;
  if (wanted <= 0 || calls <= 0) {
    std::fprintf(stderr, "usage: furca-kept-parts [MILLISECONDS [CALLS]]\n");
    return 2;
  }
  constexpr int kMany = 20'000'000;
  const int turns = static_cast<int>(wanted / static_cast<double>(kElements) * kMany / milliseconds_of(kMany)) + 1;
  for (const std::size_t threads : {2U, 4U, 8U}) {
    for (const bool even : {true, false}) {
      const Moved moved = count(threads, even, turns, calls);
      std::printf("%zu threads, %-6s loop: %5.1f %% of the elements change hands, %.2f ms a call\n", threads, even ? "even" : "uneven", moved.percent, moved.milliseconds);
    }
  }
  return 0;
}
