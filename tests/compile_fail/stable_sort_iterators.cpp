// A range is one argument.
#include <furca/stable_sort.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::stable_sort(v.begin(), v.end()));
#else
  (void)(furca::stable_sort(v));
#endif
}
