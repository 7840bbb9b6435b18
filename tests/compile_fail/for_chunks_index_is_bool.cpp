// A loop does not count with bool.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(false, true, [](bool, bool) {});
#else
  furca::parallel_for_chunks(0, 1, [](int, int) {});
#endif
}
