// A list cannot be entered in the middle.
#include <furca/parallel_for.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISTAKE
  std::list<int> numbers{1, 2, 3};
#else
  std::vector<int> numbers{1, 2, 3};
#endif
  furca::parallel_for(numbers, [](int& number) { ++number; });
}
