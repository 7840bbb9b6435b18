// What the arms return is the result. Where they return nothing there is none to drop.
#pragma GCC diagnostic error "-Wunused-result"
#include <furca/join.hpp>

int main() {
#ifdef MISTAKE
  furca::join([] { return 1; }, [] {});
#else
  furca::join([] {}, [] {});
#endif
}
