// A generator knows no indices.
#include <furca/views.hpp>
#include <furca/write.hpp>

#include <cstddef>
#include <functional>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  furca::generate(x, [](std::size_t i) { return static_cast<int>(i); });
#else
  furca::transform(furca::lazy(x.size(), [](std::size_t i) { return static_cast<int>(i); }), x, std::identity{});
#endif
  return x.empty() ? 1 : 0;
}
