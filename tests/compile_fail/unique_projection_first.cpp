// The comparison comes first.
#include <furca/pack.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  std::vector<Record> x(10);
#ifdef MISTAKE
  x.erase(furca::unique(x, &Record::key).begin(), x.end());
#else
  x.erase(furca::unique(x, {}, &Record::key).begin(), x.end());
#endif
}
