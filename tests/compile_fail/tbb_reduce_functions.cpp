// A reduction's first function gets a value and returns one.
#include <furca/compat/oneapi/tbb/parallel_reduce.h>

#include <functional>

int main() {
  const tbb::blocked_range<int> range(0, 10);
#ifdef MISTAKE
  return tbb::parallel_reduce(range, 0, [](const tbb::blocked_range<int>& part) { return part.end() - part.begin(); }, std::plus<>());
#else
  return tbb::parallel_reduce(range, 0, [](const tbb::blocked_range<int>& part, int sum) { return sum + part.end() - part.begin(); }, std::plus<>());
#endif
}
