// The same over a range.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <vector>

int main() {
  const std::vector<long> sizes(10, 1);
#ifdef MISTAKE
  const double result = furca::parallel_reduce(sizes, 0, [](long size) { return size; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(sizes, 0L, [](long size) { return size; }, std::plus<>{});
  (void)result;
#endif
}
