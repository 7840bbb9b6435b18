// A body is called with the index, which is no pointer.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, [](double* x) { *x = 0; });
#else
  furca::parallel_for(0, 10, [](int i) { (void)i; });
#endif
}
