// A comparison answers.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  (void)furca::equal(x, y, [](double, double) {});
#else
  (void)furca::equal(x, y, [](double a, double b) { return a == b; });
#endif
}
