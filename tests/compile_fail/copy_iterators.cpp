// A range is one argument.
#include <furca/write.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
  std::vector<int> y(3);
#ifdef MISTAKE
  furca::copy(x.begin(), x.end(), y.begin());
#else
  furca::copy(x, y);
#endif
  return x.empty() || y.empty() ? 1 : 0;
}
