// Where the rest begins is what unique and remove_if are called for.
#pragma GCC diagnostic error "-Wunused-result"
#include <furca/pack.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 1, 3};
#ifdef MISTAKE
  furca::unique(x);
#else
  x.erase(furca::unique(x).begin(), x.end());
#endif
  return x.size() == 2 ? 0 : 1;
}
