// A list cannot be entered in the middle.
#include <furca/sort.hpp>

#include <list>
#include <vector>

int main() {
  std::list<int> numbers{2, 1};
  std::vector<int> v(numbers.begin(), numbers.end());
#ifdef MISTAKE
  (void)(furca::sort(numbers));
#else
  (void)(furca::sort(v));
#endif
}
