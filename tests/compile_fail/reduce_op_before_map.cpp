// The map comes before the operation.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0.0, std::plus<>{}, [](int i) { return 0.5 * i; });
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0.0, [](int i) { return 0.5 * i; }, std::plus<>{});
  (void)result;
#endif
}
