// A map cannot be entered in the middle.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <map>
#include <vector>

int main() {
#ifdef MISTAKE
  const std::map<int, int> counts{{1, 2}};
#else
  const std::vector<std::pair<int, int>> counts{{1, 2}};
#endif
  return furca::parallel_reduce(counts, 0, [](const auto& entry) { return entry.second; }, std::plus<>{}) - 2;
}
