// Elements of zip are tuples of references, made as they are read.
#include <furca/stable_sort.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> keys(10);
  std::vector<double> values(10);
#ifdef MISTAKE
  (void)(furca::stable_sort(furca::zip(keys, values)));
#else
  (void)(furca::stable_sort(keys));
#endif
}
