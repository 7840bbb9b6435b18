// The same with two of another type.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
#ifdef MISTAKE
  const Record least = *furca::min_element(x, [](int a, int b) { return a < b; });
#else
  const Record least = *furca::min_element(x, [](const Record& a, const Record& b) { return a.key < b.key; });
  static_cast<void>(least);
#endif
}
