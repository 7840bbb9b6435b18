// A range is one argument.
#include <furca/parallel_for.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  furca::parallel_for(v.begin(), v.end(), [](double& x) { x = 0; });
#else
  furca::parallel_for(std::span(v.begin(), v.end()), [](double& x) { x = 0; });
#endif
}
