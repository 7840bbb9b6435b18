// The comparison comes before the projection.
#include <furca/sort.hpp>

#include <vector>

struct Record {
  int key;
};

int main() {
  std::vector<Record> v(10);
#ifdef MISTAKE
  (void)(furca::partial_sort(v, v.begin() + 5, &Record::key));
#else
  (void)(furca::partial_sort(v, v.begin() + 5, {}, &Record::key));
#endif
}
