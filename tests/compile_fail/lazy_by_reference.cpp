// An element has no number that could be changed.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <cstddef>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(furca::lazy(3, [](std::size_t& i) { return ++i; }), [](std::size_t) {});
#else
  furca::parallel_for(furca::lazy(3, [](std::size_t i) { return i + 1; }), [](std::size_t) {});
#endif
  return x.empty() ? 1 : 0;
}
