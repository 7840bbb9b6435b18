// How folded accumulators combine only the program knows.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v, 0.0, [](double& most, double x) { most = x > most ? x : most; });
  (void)result;
#else
  const double result = furca::parallel_reduce(v, 0.0, [](double& sum, double x) { sum += x; }, std::plus<>{});
  (void)result;
#endif
}
