// How values become one has to be said.
#include <furca/per_worker.hpp>

#include <functional>

int main() {
  furca::PerWorker<int> sums;
#ifdef MISTAKE
  const int all = sums.combine();
#else
  const int all = sums.combine(std::plus<>{});
  static_cast<void>(all);
#endif
}
