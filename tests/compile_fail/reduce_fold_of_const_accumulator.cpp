// A fold changes the accumulator.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0L, [](const long&, int) {}, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0L, [](long& sum, int i) { sum += i; }, std::plus<>{});
  (void)result;
#endif
}
