// Nobody knows what is collected.
#include <furca/collect.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  const auto all = furca::collect(x, [](int v, std::vector<int>& out) { out.push_back(v); });
#else
  const auto all = furca::collect<int>(x, [](int v, std::vector<int>& out) { out.push_back(v); });
#endif
  return x.empty() || all.empty() ? 1 : 0;
}
