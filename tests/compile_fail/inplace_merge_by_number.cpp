// Where the second part begins is an iterator.
#include <furca/merge.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::inplace_merge(v, 3));
#else
  (void)(furca::inplace_merge(v, v.begin() + 3));
#endif
}
