// Elements that cannot be copied are passed by reference.
#include <furca/parallel_for.hpp>

#include <memory>
#include <vector>

int main() {
  std::vector<std::unique_ptr<int>> v(10);
#ifdef MISTAKE
  furca::parallel_for(v, [](std::unique_ptr<int> p) { p.reset(); });
#else
  furca::parallel_for(v, [](std::unique_ptr<int>& p) { p.reset(); });
#endif
}
