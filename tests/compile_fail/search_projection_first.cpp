// The predicate comes first.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
  const auto positive = [](int key) { return key > 0; };
#ifdef MISTAKE
  (void)furca::find_if(x, &Record::key, positive);
#else
  (void)furca::find_if(x, positive, &Record::key);
#endif
}
