// The output is a range.
#include <furca/sets.hpp>

#include <iterator>
#include <vector>

int main() {
  const std::vector<int> v(10);
  std::vector<int> out(20);
#ifdef MISTAKE
  (void)(furca::set_union(v, v, std::back_inserter(out)));
#else
  (void)(furca::set_union(v, v, out));
#endif
}
