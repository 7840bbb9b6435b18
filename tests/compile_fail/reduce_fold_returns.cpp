// A fold returns nothing: what it returned would be dropped.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v, 0.0, [](double& a, double x) { return a + x; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(v, 0.0, [](double& a, double x) { a += x; }, std::plus<>{});
  (void)result;
#endif
}
