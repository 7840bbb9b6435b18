// Each thread begins with a copy of the identity.
#include <furca/parallel_reduce.hpp>

#include <memory>
#include <utility>

int main() {
#ifdef MISTAKE
  using Pointer = std::unique_ptr<int>;
#else
  using Pointer = std::shared_ptr<int>;
#endif
  (void)furca::parallel_reduce(0, 10, Pointer(), [](Pointer&, int) {}, [](Pointer a, Pointer) { return a; });
}
