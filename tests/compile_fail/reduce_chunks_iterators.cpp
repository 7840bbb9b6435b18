// A range is one argument.
#include <furca/chunks.hpp>

#include <functional>
#include <span>
#include <vector>

int main() {
  const std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce_chunks(v.begin(), v.end(), 0.0, [](double& sum, std::span<const double> part) { sum += part[0]; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce_chunks(v, 0.0, [](double& sum, std::span<const double> part) { sum += part[0]; }, std::plus<>{});
  (void)result;
#endif
}
