// A chunk has two ends.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(0, 10, [](int) {});
#else
  furca::parallel_for_chunks(0, 10, [](int, int) {});
#endif
}
