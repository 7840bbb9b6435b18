// The output is a range.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::inclusive_scan(v, v.begin()));
#else
  (void)(furca::inclusive_scan(v, v));
#endif
}
