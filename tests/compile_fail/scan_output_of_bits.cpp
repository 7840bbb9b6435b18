// Bits share bytes.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
  std::vector<bool> bits(10);
  std::vector<char> chars(10);
#ifdef MISTAKE
  (void)(furca::exclusive_scan(v, bits, false, [](bool a, bool b) { return a || b; }, [](int i) { return i > 0; }));
#else
  (void)(furca::exclusive_scan(v, v, 0));
#endif
}
