// A comparison takes two elements.
#include <furca/stable_sort.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
#ifdef MISTAKE
  (void)(furca::stable_sort(v, [](int a) { return a > 0; }));
#else
  (void)(furca::stable_sort(v, [](int a, int b) { return a > b; }));
#endif
}
