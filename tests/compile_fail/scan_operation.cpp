// An operation combines two sums.
#include <furca/scan.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::inclusive_scan(x, y, [](double a, double b, double c) { return a + b + c; });
#else
  furca::inclusive_scan(x, y, [](double a, double b) { return a + b; });
#endif
}
