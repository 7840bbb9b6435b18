// A list cannot be entered in the middle.
#include <furca/search.hpp>

#include <list>
#include <vector>

int main() {
  std::list<int> numbers{1, 2};
#ifdef MISTAKE
  (void)(furca::count(numbers, 2));
#else
  (void)(furca::count(std::vector<int>(numbers.begin(), numbers.end()), 2));
#endif
}
