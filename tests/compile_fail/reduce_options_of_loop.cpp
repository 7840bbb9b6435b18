// Options of a reduction are a reduction's.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(v, 0.0, std::identity{}, std::plus<>{}, furca::LoopOptions{.grain = 64});
  (void)result;
#else
  const double result = furca::parallel_reduce(v, 0.0, std::identity{}, std::plus<>{}, furca::ReduceOptions{.grain = 64});
  (void)result;
#endif
}
