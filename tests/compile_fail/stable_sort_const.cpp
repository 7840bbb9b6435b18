// What is sorted can be written to.
#include <furca/stable_sort.hpp>

#include <vector>

int main() {
  const std::vector<int> v(10);
  std::vector<int> w(10);
#ifdef MISTAKE
  (void)(furca::stable_sort(v));
#else
  (void)(furca::stable_sort(w));
#endif
}
