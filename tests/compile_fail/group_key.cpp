// A key is a function of an element.
#include <furca/group.hpp>

#include <vector>

int main() {
  const std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::group_by(v, 7));
#else
  (void)(furca::group_by(v, [](int x) { return x % 7; }));
#endif
}
