// What is written is an element.
#include <furca/pack.hpp>

#include <string>
#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
  std::vector<std::string*> names(10);
#ifdef MISTAKE
  furca::copy_if(x, names, [](double d) { return d > 0; });
#else
  furca::copy_if(x, y, [](double d) { return d > 0; });
#endif
}
