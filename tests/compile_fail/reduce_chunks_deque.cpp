// Chunks of a range are spans.
#include <furca/chunks.hpp>

#include <cstddef>
#include <deque>
#include <functional>

int main() {
  const std::deque<double> d(100);
#ifdef MISTAKE
  const double sum = furca::parallel_reduce_chunks(d, 0.0, [](double& some, auto part) { some += part[0]; }, std::plus<>{});
#else
  const double sum = furca::parallel_reduce_chunks(std::size_t{0}, d.size(), 0.0, [&](double& some, std::size_t lo, std::size_t) { some += d[lo]; }, std::plus<>{});
#endif
  (void)sum;
}
