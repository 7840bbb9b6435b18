// An output is written.
#include <furca/write.hpp>

#include <utility>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
  std::vector<int> y(3);
#ifdef MISTAKE
  furca::copy(x, std::as_const(y));
#else
  furca::copy(x, y);
#endif
  return x.empty() || y.empty() ? 1 : 0;
}
