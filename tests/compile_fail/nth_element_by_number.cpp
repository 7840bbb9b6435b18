// The place is an iterator, as in std::ranges.
#include <furca/sort.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::nth_element(v, 5));
#else
  (void)(furca::nth_element(v, v.begin() + 5));
#endif
}
