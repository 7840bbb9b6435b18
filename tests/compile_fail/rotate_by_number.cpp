// A rotation has an iterator, as in std::ranges.
#include <furca/permute.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  furca::rotate(v, 3);
#else
  furca::rotate(v, v.begin() + 3);
#endif
}
