// What is sorted can be written to.
#include <furca/sort.hpp>

#include <vector>

int main() {
  const std::vector<int> v(10);
  std::vector<int> w(10);
#ifdef MISTAKE
  (void)(furca::sort(v));
#else
  (void)(furca::sort(w));
#endif
}
