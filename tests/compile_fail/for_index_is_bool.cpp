// A loop counts with integers, and bool has nothing between its ends.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(false, true, [](bool) {});
#else
  furca::parallel_for(0, 1, [](int) {});
#endif
}
