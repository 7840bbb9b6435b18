// Nobody has the elements any more.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(furca::enumerate(std::vector<int>(3)), [](auto) {});
#else
  furca::parallel_for(furca::enumerate(x), [](auto) {});
#endif
  return x.empty() ? 1 : 0;
}
