// The same with options, in braces.
#include <furca/parallel_reduce.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  const double result = furca::parallel_reduce(0, 10, 0, [](double* x) { return *x; }, std::plus<>{}, {.grain = 64});
  (void)result;
#else
  const double result = furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{}, {.grain = 64});
  (void)result;
#endif
}
