// A chunk of a range is no element.
#include <furca/chunks.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<float> v(100);
#ifdef MISTAKE
  furca::parallel_for_chunks(v, [](float& x) { x = 1; });
#else
  furca::parallel_for_chunks(v, [](std::span<float> part) { part[0] = 1; });
#endif
}
