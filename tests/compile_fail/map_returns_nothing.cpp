// There is nothing to make a container of.
#include <furca/collect.hpp>
#include <furca/parallel_for.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::map(x, [](int& v) { v = 0; });
#else
  furca::parallel_for(x, [](int& v) { v = 0; });
#endif
  return x.empty() ? 1 : 0;
}
