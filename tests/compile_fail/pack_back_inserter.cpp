// The output is a range, and filter makes one.
#include <furca/pack.hpp>

#include <iterator>
#include <vector>

int main() {
  std::vector<int> v(10);
  std::vector<int> out;
#ifdef MISTAKE
  (void)(furca::copy_if(v, std::back_inserter(out), [](int i) { return i > 0; }));
#else
  (void)(out = furca::filter(v, [](int i) { return i > 0; }));
#endif
}
