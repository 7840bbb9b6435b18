// c-blosc2 and furca on one pool.
#include <furca/furca.hpp>
#include <furca/plugs/callbacks.hpp>

#include <blosc2.h>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  blosc2_set_threads_callback(furca::plugs::blosc2, nullptr);
  blosc2_init();
  blosc2_set_nthreads(static_cast<std::int16_t>(furca::num_threads()));

  std::vector<int> x(1'000'000);
  furca::parallel_for(0, 1'000'000, [&](int i) { x[static_cast<std::size_t>(i)] = i; });
  const auto bytes = static_cast<std::int32_t>(x.size() * sizeof(int));
  std::vector<char> small(static_cast<std::size_t>(bytes) + BLOSC2_MAX_OVERHEAD);
  const int size = blosc2_compress(5, BLOSC_SHUFFLE, sizeof(int), x.data(), bytes, small.data(),
                                   static_cast<std::int32_t>(small.size()));
  std::printf("%d bytes are %d\n", bytes, size);
  blosc2_destroy();
}
