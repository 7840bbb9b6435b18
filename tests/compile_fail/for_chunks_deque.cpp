// Chunks of a range are spans.
#include <furca/chunks.hpp>

#include <cstddef>
#include <deque>

int main() {
  std::deque<float> d(100);
#ifdef MISTAKE
  furca::parallel_for_chunks(d, [](auto part) { part[0] = 1; });
#else
  furca::parallel_for_chunks(std::size_t{0}, d.size(), [&](std::size_t lo, std::size_t) { d[lo] = 1; });
#endif
}
