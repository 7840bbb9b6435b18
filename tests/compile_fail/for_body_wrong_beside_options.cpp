// The same with options, in braces.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, [] {}, {.grain = 4});
#else
  furca::parallel_for(0, 10, [](int) {}, {.grain = 4});
#endif
}
