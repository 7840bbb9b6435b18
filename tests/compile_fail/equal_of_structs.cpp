// Structs have no == of their own.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
  std::vector<Record> y(10);
#ifdef MISTAKE
  (void)furca::equal(x, y);
#else
  (void)furca::equal(x, y, {}, &Record::key, &Record::key);
#endif
}
