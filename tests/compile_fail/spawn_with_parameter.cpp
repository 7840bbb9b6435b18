// Nobody gives a task arguments.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::spawn([](int) {});
#else
  furca::spawn([] {});
#endif
}
