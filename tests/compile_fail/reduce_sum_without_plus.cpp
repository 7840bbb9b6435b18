// What is summed can be added.
#include <furca/parallel_reduce.hpp>

struct Counts {
  int words = 0;
};

int main() {
#ifdef MISTAKE
  const auto result = furca::parallel_reduce(0, 10, Counts{}, [](int i) { return Counts{i}; });
  (void)result;
#else
  const auto result = furca::parallel_reduce(0, 10, Counts{}, [](int i) { return Counts{i}; }, [](Counts a, Counts b) { return Counts{a.words + b.words}; });
  (void)result;
#endif
}
