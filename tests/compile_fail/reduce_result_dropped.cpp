// The result is returned, and not left in the identity.
#pragma GCC diagnostic error "-Wunused-result"
#include <furca/parallel_reduce.hpp>

int main() {
  double sum = 0;
#ifdef MISTAKE
  furca::parallel_reduce(0, 10, sum, [](int i) { return 0.5 * i; });
#else
  sum = furca::parallel_reduce(0, 10, sum, [](int i) { return 0.5 * i; });
#endif
  return static_cast<int>(sum);
}
