// Elements of a const vector are const.
#include <furca/parallel_for.hpp>

#include <vector>

int main() {
  const std::vector<int> numbers{1, 2, 3};
#ifdef MISTAKE
  furca::parallel_for(numbers, [](int& number) { number = 0; });
#else
  furca::parallel_for(numbers, [](const int& number) { (void)number; });
#endif
}
