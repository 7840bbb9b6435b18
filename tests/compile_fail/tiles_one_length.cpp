// A tile has two sides.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(furca::tiles(3), [](const furca::Tile&) {});
#else
  furca::parallel_for(furca::tiles(3, 3), [](const furca::Tile&) {});
#endif
  return x.empty() ? 1 : 0;
}
