// The standard library's takes a value behind the operation.
#include <furca/scan.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
#ifdef MISTAKE
  furca::inclusive_scan(x, y, std::plus<>{}, 1.0);
#else
  furca::exclusive_scan(x, y, 1.0, std::plus<>{});
#endif
}
