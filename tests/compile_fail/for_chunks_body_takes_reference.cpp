// The ends of a chunk are values.
#include <furca/chunks.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for_chunks(0, 10, [](int& lo, int& hi) { while (lo < hi) ++lo; });
#else
  furca::parallel_for_chunks(0, 10, [](int lo, int hi) { while (lo < hi) ++lo; });
#endif
}
