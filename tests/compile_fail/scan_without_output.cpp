// A scan writes.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::inclusive_scan(x);
#else
  furca::inclusive_scan(x, x);
#endif
}
