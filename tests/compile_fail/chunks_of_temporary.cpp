// Nobody has the elements any more.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(furca::chunks(std::vector<int>(9), 3), [](auto) {});
#else
  furca::parallel_for(furca::chunks(x, 3), [](auto) {});
#endif
  return x.empty() ? 1 : 0;
}
