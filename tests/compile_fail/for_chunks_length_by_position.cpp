// How long chunks are is an option.
#include <furca/chunks.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<float> v(100);
  const auto body = [](std::span<float>) {};
#ifdef MISTAKE
  furca::parallel_for_chunks(v, 64, body);
#else
  furca::parallel_for_chunks(v, body, {.grain = 64});
#endif
}
