// Whether there is one is what any_of is called for.
#pragma GCC diagnostic error "-Wunused-result"
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
  bool any = false;
#ifdef MISTAKE
  furca::any_of(x, [](int v) { return v > 2; });
#else
  any = furca::any_of(x, [](int v) { return v > 2; });
#endif
  return any ? 1 : 0;
}
