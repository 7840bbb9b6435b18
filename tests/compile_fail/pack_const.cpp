// What is packed in place can be written to.
#include <furca/pack.hpp>

#include <vector>

int main() {
  const std::vector<int> v(10);
  std::vector<int> w(10);
#ifdef MISTAKE
  (void)(furca::remove_if(v, [](int i) { return i > 0; }));
#else
  (void)(furca::remove_if(w, [](int i) { return i > 0; }));
#endif
}
