// An int holds no fractions.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0, [&](int i) { return v[static_cast<std::size_t>(i)]; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0.0, [&](int i) { return v[static_cast<std::size_t>(i)]; }, std::plus<>{});
  (void)result;
#endif
}
