// A map returns what it contributes.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0, [](int) {}, std::plus<>{});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{});
  (void)result;
#endif
}
