// A range is one argument, in a sum as well.
#include <furca/parallel_reduce.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v.begin(), v.end(), 0.0);
  (void)result;
#else
  const double result = furca::parallel_reduce(std::span(v.begin(), v.end()), 0.0);
  (void)result;
#endif
}
