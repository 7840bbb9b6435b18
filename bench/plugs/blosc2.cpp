// c-blosc2 on its own threads and on furca's.
#include "timing.hpp"

#include <furca/plugs/callbacks.hpp>

#include <blosc2.h>
#include <cstdint>
#include <vector>

int main(int, char** argv) {
  if (on_furca(argv)) blosc2_set_threads_callback(furca::plugs::blosc2, nullptr);
  blosc2_init();
  blosc2_set_nthreads(2);
  for (const int count : {30'000, 1'000'000}) {
    std::vector<int> x(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * i % 4096);
    const auto bytes = static_cast<std::int32_t>(x.size() * sizeof(int));
    std::vector<char> small(static_cast<std::size_t>(bytes) + BLOSC2_MAX_OVERHEAD);
    int size = 0;
    time_of(count == 30'000 ? "compress 0.1 MB" : "compress 4 MB", [&] {
      size = blosc2_compress(5, BLOSC_SHUFFLE, sizeof(int), x.data(), bytes, small.data(),
                             static_cast<std::int32_t>(small.size()));
    });
    time_of(count == 30'000 ? "decompress 0.1 MB" : "decompress 4 MB",
            [&] { blosc2_decompress(small.data(), size, x.data(), bytes); });
  }
  blosc2_destroy();
}
