// What map makes is what it is for.
#pragma GCC diagnostic error "-Wunused-result"
#include <furca/collect.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::map(x, [](int v) { return v; });
#else
  x = furca::map(x, [](int v) { return v; });
#endif
  return x.empty() ? 1 : 0;
}
