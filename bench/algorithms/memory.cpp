// What the machine's memory gives: the measure of all rows that wait for it.
#include "rows.hpp"

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench {

namespace {

/// The triad of STREAM (McCalpin: Memory Bandwidth and Machine Balance in Current High Performance
/// Computers, 1995).
void triad(const double* x, const double* y, double* z, std::size_t lo, std::size_t hi) {
  for (std::size_t i = lo; i < hi; ++i) z[i] = x[i] + 3 * y[i];
}

}  // namespace

/// On one thread, and on as many as furca has by default, each with a piece of its own. Threads are
/// started for each call, so short ones are left out.
void rows_of_memory(const Rows& rows) {
  const std::size_t n = rows.size;
  if (n < kOfMemory) return;
  const std::vector<double> x = random_doubles(n);
  const std::vector<double> y = random_doubles(n);
  std::vector<double> z(n);
  const auto on_all = [&] {
    const std::size_t threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
    std::vector<std::jthread> started;
    for (std::size_t t = 1; t < threads; ++t)
      started.emplace_back(
          [&, t] { triad(x.data(), y.data(), z.data(), n * t / threads, n * (t + 1) / threads); });
    triad(x.data(), y.data(), z.data(), 0, n / threads);
  };
  rows.compare("triad", 32,
               {
                   {"one thread", [&] { triad(x.data(), y.data(), z.data(), 0, n); }},
                   {"all threads", on_all},
               },
               [&] {
                 const bool right = z.back() == x.back() + 3 * y.back();
                 z.back() = 0;
                 return right;
               });
}

}  // namespace bench
