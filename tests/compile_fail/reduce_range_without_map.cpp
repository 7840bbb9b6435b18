// A function of two is not what an element contributes.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v, 0.0, [](double a, double b) { return a + b; });
  (void)result;
#else
  const double result = furca::parallel_reduce(v, 0.0, std::identity{}, [](double a, double b) { return a + b; });
  (void)result;
#endif
}
