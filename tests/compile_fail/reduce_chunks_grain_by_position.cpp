// Options have names.
#include <furca/chunks.hpp>

#include <functional>
#include <vector>

int main() {
  const std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce_chunks(0, 10, 0.0, [](double& sum, int lo, int hi) { sum += hi - lo; }, std::plus<>{}, 64);
  (void)result;
#else
  const double result = furca::parallel_reduce_chunks(0, 10, 0.0, [](double& sum, int lo, int hi) { sum += hi - lo; }, std::plus<>{});
  (void)result;
#endif
}
