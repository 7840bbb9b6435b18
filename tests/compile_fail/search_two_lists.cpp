// Both ranges must be open to threads.
#include <furca/search.hpp>

#include <list>
#include <vector>

int main() {
  std::list<int> a{1};
  const std::vector<int> b{1};
#ifdef MISTAKE
  (void)(furca::equal(b, a));
#else
  (void)(furca::equal(b, b));
#endif
}
