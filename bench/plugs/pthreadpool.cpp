// pthreadpool on its own threads and on furca's: loops of 64 items.
#include "timing.hpp"

#include <furca/plugs/pthreadpool.hpp>

#include <pthreadpool.h>
#include <string>

int main(int, char** argv) {
  pthreadpool_executor furca_executor{furca::plugs::borrowed_threads, furca::plugs::borrow};
  pthreadpool_t const threads =
      on_furca(argv) ? pthreadpool_create_v2(&furca_executor, nullptr, 2) : pthreadpool_create(2);
  struct Work {
    int steps;
    float sums[64];
  };
  for (const int microseconds : {1, 10, 100}) {
    Work work = {microseconds * 250, {}};
    time_of(("64 x " + std::to_string(microseconds) + " us").c_str(), [&] {
      pthreadpool_parallelize_1d(
          threads,
          [](void* data, std::size_t i) {
            auto& self = *static_cast<Work*>(data);
            float sum = 1;
            for (int k = 0; k < self.steps; ++k) sum = sum * 0.99F + 1;
            self.sums[i] = sum;
          },
          &work, 64, 0);
    });
  }
  pthreadpool_destroy(threads);
}
