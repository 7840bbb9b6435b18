// A loop counts by one.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, 2, [](int i) { (void)i; });
#else
  furca::parallel_for(0, 5, [](int k) { const int i = 2 * k; (void)i; });
#endif
}
