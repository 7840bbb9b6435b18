// The comparison comes first.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
#ifdef MISTAKE
  const auto at = furca::min_element(x, &Record::key) - x.begin();
#else
  const auto at = furca::min_element(x, {}, &Record::key) - x.begin();
  static_cast<void>(at);
#endif
}
