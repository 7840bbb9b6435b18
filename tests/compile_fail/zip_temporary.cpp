// Nobody has the elements any more.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
  std::vector<int> y(3);
#ifdef MISTAKE
  furca::parallel_for(furca::zip(x, std::vector<int>(3)), [](auto) {});
#else
  furca::parallel_for(furca::zip(x, y), [](auto) {});
#endif
  return x.empty() || y.empty() ? 1 : 0;
}
