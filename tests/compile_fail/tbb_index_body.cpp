// A loop over indices calls its function with one.
#include <furca/compat/oneapi/tbb/parallel_for.h>

int main() {
#ifdef MISTAKE
  tbb::parallel_for(0, 10, [] {});
#else
  tbb::parallel_for(0, 10, [](int) {});
#endif
}
