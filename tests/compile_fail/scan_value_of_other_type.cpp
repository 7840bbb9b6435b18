// An int holds no fractions.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::exclusive_scan(x, y, 0);
#else
  furca::exclusive_scan(x, y, 0.0);
#endif
}
