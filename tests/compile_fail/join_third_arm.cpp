// The later arms are arms like the first two.
#include <furca/join.hpp>

int main() {
#ifdef MISTAKE
  furca::join([] {}, [] {}, 3);
#else
  furca::join([] {}, [] {}, [] {});
#endif
}
