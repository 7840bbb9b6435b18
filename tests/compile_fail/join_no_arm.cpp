// Nothing to run.
#include <furca/join.hpp>

int main() {
#ifdef MISTAKE
  furca::join();
#else
  furca::join([] {}, [] {});
#endif
}
