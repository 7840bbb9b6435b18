// The tuples of a zip are made when they are read.
#include <furca/sort.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> keys(10);
  std::vector<int> values(10);
#ifdef MISTAKE
  (void)(furca::sort(furca::zip(keys, values)));
#else
  (void)(furca::sort_by_key(keys, values));
#endif
}
