// Options have names, over a range as well.
#include <furca/parallel_for.hpp>

#include <vector>

int main() {
  std::vector<double> v(10, 1.0);
#ifdef MISTAKE
  furca::parallel_for(v, [](double&) {}, 64);
#else
  furca::parallel_for(v, [](double&) {}, {.grain = 64});
#endif
}
