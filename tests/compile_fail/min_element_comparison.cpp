// A comparison is called with two elements.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  y[0] = *furca::min_element(x, [](double a) { return a > 0; });
#else
  y[0] = *furca::min_element(x, [](double a, double b) { return a < b; });
#endif
}
