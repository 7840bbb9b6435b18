// Options of a loop are a loop's.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  const furca::ReduceOptions options{.grain = 64};
  furca::parallel_for(0, 10, [](int) {}, options);
#else
  const furca::LoopOptions options{.grain = 64};
  furca::parallel_for(0, 10, [](int) {}, options);
#endif
}
