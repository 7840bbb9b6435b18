// A range is one argument.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::find(v.begin(), v.end(), 3));
#else
  (void)(furca::find(v, 3));
#endif
}
