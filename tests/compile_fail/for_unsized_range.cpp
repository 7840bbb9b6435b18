// A range whose end has to be looked for has no middle.
#include <furca/parallel_for.hpp>

struct AtZero {
  friend bool operator==(const int* at, AtZero) { return *at == 0; }
};

struct UntilZero {
  int* begin() const { return numbers; }
  AtZero end() const { return {}; }
#ifndef MISTAKE
  std::size_t size() const { return 2; }
#endif
  int* numbers;
};

int main() {
  int numbers[]{1, 2, 0};
  furca::parallel_for(UntilZero{numbers}, [](int& number) { ++number; });
}
