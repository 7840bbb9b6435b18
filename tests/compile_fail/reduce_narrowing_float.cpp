// A float holds half of a double.
#include <furca/parallel_reduce.hpp>

#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v, 0.0F, [](double x) { return x; });
  (void)result;
#else
  const double result = furca::parallel_reduce(v, 0.0, [](double x) { return x; });
  (void)result;
#endif
}
