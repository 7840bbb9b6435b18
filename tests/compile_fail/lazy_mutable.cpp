// Several threads compute elements.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <cstddef>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(furca::lazy(3, [n = 0](std::size_t) mutable { return ++n; }), [](int) {});
#else
  furca::parallel_for(furca::lazy(3, [](std::size_t i) { return static_cast<int>(i); }), [](int) {});
#endif
  return x.empty() ? 1 : 0;
}
