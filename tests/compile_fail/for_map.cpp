// A map cannot be entered in the middle.
#include <furca/parallel_for.hpp>

#include <map>
#include <string>
#include <vector>

int main() {
#ifdef MISTAKE
  std::map<std::string, int> ages{{"a", 1}};
#else
  std::vector<std::pair<std::string, int>> ages{{"a", 1}};
#endif
  furca::parallel_for(ages, [](auto& entry) { ++entry.second; });
}
