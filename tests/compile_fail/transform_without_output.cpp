// Nobody knows where to.
#include <furca/write.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::transform(x, [](int v) { return v + 1; });
#else
  furca::transform(x, x, [](int v) { return v + 1; });
#endif
  return x.empty() ? 1 : 0;
}
