// Options are those of parallel_for.
#include <furca/parallel_for.hpp>
#include <furca/write.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::for_each(x, [](int& v) { v = 0; }, furca::LoopOptions{.grain = 64});
#else
  furca::parallel_for(x, [](int& v) { v = 0; }, {.grain = 64});
#endif
  return x.empty() ? 1 : 0;
}
