// oneTBB's bodies are const.
#include <furca/compat/oneapi/tbb/parallel_for.h>

int main() {
  int calls = 0;
#ifdef MISTAKE
  tbb::parallel_for(tbb::blocked_range<int>(0, 10), [calls](const tbb::blocked_range<int>&) mutable { ++calls; });
#else
  tbb::parallel_for(tbb::blocked_range<int>(0, 10, 10), [&calls](const tbb::blocked_range<int>&) { ++calls; });
#endif
}
