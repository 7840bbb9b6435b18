// Options have names.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(0, 10, [](int, int) {}, 64);
#else
  furca::parallel_for_chunks(0, 10, [](int, int) {}, {.grain = 64});
#endif
}
