// A list cannot be entered in the middle.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <list>
#include <vector>

int main() {
#ifdef MISTAKE
  const std::list<int> numbers{1, 2, 3};
#else
  const std::vector<int> numbers{1, 2, 3};
#endif
  (void)furca::parallel_reduce(numbers, 0, [](int number) { return number; }, std::plus<>{});
}
