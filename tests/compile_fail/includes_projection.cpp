// Projections follow the comparison.
#include <furca/sets.hpp>

#include <vector>

struct Record {
  int key = 0;
};

int main() {
  const std::vector<Record> v(10);
#ifdef MISTAKE
  return furca::includes(v, v, &Record::key, &Record::key) ? 0 : 1;
#else
  return furca::includes(v, v, {}, &Record::key, &Record::key) ? 0 : 1;
#endif
}
