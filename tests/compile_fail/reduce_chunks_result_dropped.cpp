// The result of a reduction is what it returns.
#include <furca/chunks.hpp>

#include <functional>

int main() {
  const auto fold = [](long& sum, int lo, int hi) { sum += hi - lo; };
#ifdef MISTAKE
#pragma GCC diagnostic error "-Wunused-result"
  furca::parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{});
#else
  const long sum = furca::parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{});
  (void)sum;
#endif
}
