// Numbers are no ranges.
#include <furca/collect.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
  std::vector<int> y(3);
#ifdef MISTAKE
  const auto all = furca::flatten(x);
#else
  const auto all = furca::flatten(std::vector<std::vector<int>>{x, y});
#endif
  return x.empty() || y.empty() || all.empty() ? 1 : 0;
}
