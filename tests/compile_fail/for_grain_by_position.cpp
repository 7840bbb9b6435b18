// Options have names.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, [](int) {}, 64);
#else
  furca::parallel_for(0, 10, [](int) {}, {.grain = 64});
#endif
}
