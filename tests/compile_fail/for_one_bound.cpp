// A loop has a beginning and an end.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(10, [](int) {});
#else
  furca::parallel_for(0, 10, [](int) {});
#endif
}
