// A range is one argument: a pointer and a size are a std::span.
#include <furca/parallel_for.hpp>

#include <span>
#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  furca::parallel_for(v.data(), v.size(), [](double& x) { x = 0; });
#else
  furca::parallel_for(std::span(v.data(), v.size()), [](double& x) { x = 0; });
#endif
}
