// Chunks of a const range have const elements.
#include <furca/chunks.hpp>

#include <span>
#include <vector>

int main() {
  const std::vector<float> v(100);
#ifdef MISTAKE
  furca::parallel_for_chunks(v, [](std::span<float>) {});
#else
  furca::parallel_for_chunks(v, [](std::span<const float>) {});
#endif
}
