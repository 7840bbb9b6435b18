// The output is a range.
#include <furca/merge.hpp>

#include <iterator>
#include <vector>

int main() {
  const std::vector<int> v(10);
  std::vector<int> out(20);
#ifdef MISTAKE
  (void)(furca::merge(v, v, out.begin()));
#else
  (void)(furca::merge(v, v, out));
#endif
}
