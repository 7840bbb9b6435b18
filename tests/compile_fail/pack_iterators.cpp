// A range is one argument.
#include <furca/pack.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::unique(v.begin(), v.end()));
#else
  (void)(furca::unique(v));
#endif
}
