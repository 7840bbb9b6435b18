// An inclusive scan begins with the first element.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::inclusive_scan(x, 0.0, y);
#else
  furca::inclusive_scan(x, y);
#endif
}
