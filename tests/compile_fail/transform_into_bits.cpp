// Bits share bytes.
#include <furca/write.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  std::vector<bool> bits(x.size());
  furca::transform(x, bits, [](int v) { return v > 0; });
#else
  std::vector<char> bits(x.size());
  furca::transform(x, bits, [](int v) { return v > 0; });
#endif
  return x.empty() ? 1 : 0;
}
