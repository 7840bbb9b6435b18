// What is looked for can be compared with an element.
#include <furca/search.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
#ifdef MISTAKE
  (void)furca::find(x, 3);
#else
  (void)furca::find(x, 3, &Record::key);
#endif
}
