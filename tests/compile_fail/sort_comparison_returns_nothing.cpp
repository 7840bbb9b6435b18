// A comparison has an answer.
#include <furca/sort.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::sort(v, [](int a, int b) { (void)(a < b); }));
#else
  (void)(furca::sort(v, [](int a, int b) { return a < b; }));
#endif
}
