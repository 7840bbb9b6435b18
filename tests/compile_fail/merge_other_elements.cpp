// Elements fit the output.
#include <furca/merge.hpp>

#include <string>
#include <vector>

int main() {
  const std::vector<int> v(10);
#ifdef MISTAKE
  std::vector<std::vector<int>> out(20);
#else
  std::vector<long> out(20);
#endif
  (void)(furca::merge(v, v, out));
}
