// The same under another name.
#include <furca/write.hpp>

#include <utility>
#include <vector>

int main() {
  std::vector<bool> bits(10);
#ifdef MISTAKE
  furca::for_each(bits, [](auto bit) { bit = true; });
#else
  furca::for_each(std::as_const(bits), [](bool) {});
#endif
}
