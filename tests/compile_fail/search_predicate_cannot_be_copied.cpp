// A predicate is copied.
#include <furca/search.hpp>

#include <memory>
#include <utility>
#include <vector>

int main() {
  std::vector<double> x(10);
  std::vector<double> y(10);
  auto limit = std::make_unique<double>(1.0);
#ifdef MISTAKE
  (void)furca::any_of(x, [limit = std::move(limit)](double d) { return d > *limit; });
#else
  (void)furca::any_of(x, [&limit](double d) { return d > *limit; });
#endif
}
