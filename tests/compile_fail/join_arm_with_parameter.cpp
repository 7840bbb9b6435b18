// An arm is called without arguments.
#include <furca/join.hpp>

int main() {
#ifdef MISTAKE
  furca::join([] {}, [](int) {});
#else
  furca::join([] {}, [] {});
#endif
}
