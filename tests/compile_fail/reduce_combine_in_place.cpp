// What combines two accumulators returns one.
#include <furca/parallel_reduce.hpp>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0L, [](long& sum, int i) { sum += i; }, [](long& a, const long& b) { a += b; });
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0L, [](long& sum, int i) { sum += i; }, [](long a, long b) { return a + b; });
  (void)result;
#endif
}
