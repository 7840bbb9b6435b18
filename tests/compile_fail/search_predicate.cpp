// A predicate is called with an element.
#include <furca/search.hpp>

#include <string>
#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::find_if(v, [](const std::string& s) { return s.empty(); }));
#else
  (void)(furca::find_if(v, [](int i) { return i > 0; }));
#endif
}
