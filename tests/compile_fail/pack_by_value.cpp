// remove_if takes a function.
#include <furca/pack.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  x.erase(furca::remove_if(x, 0.0).begin(), x.end());
#else
  x.erase(furca::remove_if(x, [](double d) { return d == 0.0; }).begin(), x.end());
#endif
}
