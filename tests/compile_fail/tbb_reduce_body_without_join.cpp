// A reduction joins its bodies.
#include <furca/compat/oneapi/tbb/parallel_reduce.h>

struct Sum {
  Sum() = default;
  Sum(Sum&, tbb::split) {}
  void operator()(const tbb::blocked_range<int>& part) { sum += static_cast<int>(part.size()); }
#ifndef MISTAKE
  void join(Sum& right) { sum += right.sum; }
#endif
  int sum = 0;
};

int main() {
  Sum body;
  tbb::parallel_reduce(tbb::blocked_range<int>(0, 10), body);
}
