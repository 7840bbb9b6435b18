// A loop counts with integers.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(0.0, 1.0, [](double, double) {});
#else
  furca::parallel_for_chunks(0, 1, [](int, int) {});
#endif
}
