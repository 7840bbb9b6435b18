// Structs have no order of their own.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
#ifdef MISTAKE
  (void)furca::max_element(x);
#else
  (void)furca::max_element(x, {}, &Record::key);
#endif
}
