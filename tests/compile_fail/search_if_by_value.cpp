// A value is found by find.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  if (furca::find_if(x, 3.0) != x.end()) y = x;
#else
  if (furca::find(x, 3.0) != x.end()) y = x;
#endif
}
