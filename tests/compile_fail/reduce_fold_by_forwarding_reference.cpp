// A fold takes a reference that cannot be one to something temporary.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0L, [](auto&& sum, int i) { sum += i; }, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0L, [](auto& sum, int i) { sum += i; }, std::plus<>{});
  (void)result;
#endif
}
