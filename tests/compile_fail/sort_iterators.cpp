// A range is one argument.
#include <furca/sort.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::sort(v.begin(), v.end()));
#else
  (void)(furca::sort(v));
#endif
}
