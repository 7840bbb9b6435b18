// A body is called with the index.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, [] {});
#else
  furca::parallel_for(0, 10, [](int) {});
#endif
}
