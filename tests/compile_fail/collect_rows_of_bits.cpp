// There are no spans of bits.
#include <furca/collect.hpp>

#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  const auto all = furca::collect_rows<bool>(x, [](int v, std::vector<bool>& out) { out.push_back(v > 0); });
#else
  const auto all = furca::collect_rows<char>(x, [](int v, std::vector<char>& out) { out.push_back(v > 0); });
#endif
  return x.empty() || all.empty() ? 1 : 0;
}
