// A range is one argument.
#include <furca/chunks.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<float> v(100);
#ifdef MISTAKE
  furca::parallel_for_chunks(v.begin(), v.end(), [](std::span<float>) {});
#else
  furca::parallel_for_chunks(std::span(v.begin(), v.end()), [](std::span<float>) {});
#endif
}
