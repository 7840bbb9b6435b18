// A predicate answers.
#include <furca/search.hpp>

#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  (void)furca::find_if(x, [](double) {});
#else
  (void)furca::find_if(x, [](double d) { return d > 0; });
#endif
}
