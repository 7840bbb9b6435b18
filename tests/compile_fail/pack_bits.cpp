// Bits share bytes.
#include <furca/pack.hpp>

#include <vector>

int main() {
  std::vector<bool> bits(10);
  std::vector<char> chars(10);
#ifdef MISTAKE
  (void)(furca::partition(bits, [](bool bit) { return bit; }));
#else
  (void)(furca::partition(chars, [](char c) { return c != 0; }));
#endif
}
