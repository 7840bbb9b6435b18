// The operation comes first.
#include <furca/scan.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
  std::vector<int> y(10);
#ifdef MISTAKE
  furca::inclusive_scan(x, y, &Record::key);
#else
  furca::inclusive_scan(x, y, {}, &Record::key);
#endif
}
