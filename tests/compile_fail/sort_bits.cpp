// Bits share bytes.
#include <furca/sort.hpp>

#include <vector>

int main() {
  std::vector<int> keys(10);
  std::vector<bool> bits(10);
  std::vector<char> chars(10);
#ifdef MISTAKE
  (void)(furca::sort_by_key(keys, bits));
#else
  (void)(furca::sort_by_key(keys, chars));
#endif
}
