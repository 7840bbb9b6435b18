// A function finds by find_if.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  if (furca::count(x, [](double d) { return d > 0; }) > 3) y = x;
#else
  if (furca::count_if(x, [](double d) { return d > 0; }) > 3) y = x;
#endif
}
