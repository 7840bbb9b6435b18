// The same with an operation.
#include <furca/scan.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::exclusive_scan(x, y, std::plus<>{});
#else
  furca::exclusive_scan(x, y, 0.0, std::plus<>{});
#endif
}
