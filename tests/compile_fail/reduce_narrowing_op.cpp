// What op returns is the next accumulator.
#include <furca/parallel_reduce.hpp>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int a, int b) { return 0.5 * a + 0.5 * b; });
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int a, int b) { return a + b; });
  (void)result;
#endif
}
