// The body comes last.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for([](int) {}, 0, 10);
#else
  furca::parallel_for(0, 10, [](int) {});
#endif
}
