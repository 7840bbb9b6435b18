// A reduction counts with integers.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0.0, 1.0, 0.0, [](double x) { return x; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 1, 0.0, [](int x) { return x; }, std::plus<>{});
  (void)result;
#endif
}
