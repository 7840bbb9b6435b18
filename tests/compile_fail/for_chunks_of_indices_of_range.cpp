// A body for indices needs them.
#include <furca/chunks.hpp>

#include <cstddef>
#include <vector>

int main() {
  std::vector<float> v(100);
  const auto body = [](std::size_t, std::size_t) {};
#ifdef MISTAKE
  furca::parallel_for_chunks(v, body);
#else
  furca::parallel_for_chunks(std::size_t{0}, v.size(), body);
#endif
}
