// A loop counts with integers.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0.0, 1.0, [](double) {});
#else
  furca::parallel_for(0, 1, [](int) {});
#endif
}
