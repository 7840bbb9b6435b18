// A list cannot be entered anywhere.
#include <furca/collect.hpp>

#include <list>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  const auto all = furca::map(std::list<int>{1, 2}, [](int v) { return v; });
#else
  const auto all = furca::map(x, [](int v) { return v; });
#endif
  return x.empty() || all.empty() ? 1 : 0;
}
