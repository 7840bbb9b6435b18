// A sum of sizes does not fit into an int.
#include <furca/scan.hpp>

#include <cstddef>
#include <vector>

int main() {
  std::vector<std::size_t> v(10);
  std::vector<int> few(10);
#ifdef MISTAKE
  (void)(furca::inclusive_scan(v, few));
#else
  (void)(furca::inclusive_scan(v, v));
#endif
}
