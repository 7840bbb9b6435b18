// The index is a value: there is nothing for a body to change.
#include <furca/parallel_for.hpp>

int main() {
#ifdef MISTAKE
  furca::parallel_for(0, 10, [](int& i) { ++i; });
#else
  furca::parallel_for(0, 10, [](const int& i) { (void)i; });
#endif
}
