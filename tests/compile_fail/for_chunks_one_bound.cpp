// A loop has a beginning and an end.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(10, [](int, int) {});
#else
  furca::parallel_for_chunks(0, 10, [](int, int) {});
#endif
}
