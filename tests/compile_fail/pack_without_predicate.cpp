// Without a predicate it would be a copy.
#include <furca/pack.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::copy_if(x, y);
#else
  furca::copy_if(x, y, [](double d) { return d > 0; });
#endif
}
