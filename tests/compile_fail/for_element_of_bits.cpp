// Bits share bytes.
#include <furca/parallel_for.hpp>

#include <vector>

int main() {
  std::vector<bool> bits(10);
  std::vector<char> bytes(10);
#ifdef MISTAKE
  furca::parallel_for(bits, [](auto bit) { bit = true; });
#else
  furca::parallel_for(bytes, [](char& byte) { byte = 1; });
#endif
}
