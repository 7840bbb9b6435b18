// The value is none of the elements.
#include <furca/write.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::fill(x, "seven");
#else
  furca::fill(x, 7);
#endif
  return x.empty() ? 1 : 0;
}
