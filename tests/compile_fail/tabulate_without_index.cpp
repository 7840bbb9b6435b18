// A table is made from numbers.
#include <furca/collect.hpp>

#include <cstddef>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  const auto all = furca::tabulate(3, [] { return 1; });
#else
  const auto all = furca::tabulate(3, [](std::size_t) { return 1; });
#endif
  return x.empty() || all.empty() ? 1 : 0;
}
