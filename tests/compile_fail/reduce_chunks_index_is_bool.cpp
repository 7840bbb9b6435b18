// A reduction does not count with bool.
#include <furca/chunks.hpp>

#include <functional>
#include <vector>

int main() {
  const std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce_chunks(false, true, 0.0, [](double& sum, bool, bool) { ++sum; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce_chunks(0, 10, 0.0, [](double& sum, int lo, int hi) { sum += hi - lo; }, std::plus<>{});
  (void)result;
#endif
}
