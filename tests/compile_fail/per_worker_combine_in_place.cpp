// What is combined is returned.
#include <furca/per_worker.hpp>

int main() {
  furca::PerWorker<int> sums;
#ifdef MISTAKE
  const int all = sums.combine([](int& a, const int& b) { a += b; });
#else
  const int all = sums.combine([](int a, const int& b) { return a + b; });
  static_cast<void>(all);
#endif
}
