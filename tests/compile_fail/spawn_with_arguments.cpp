// Nobody gives a task arguments, not even who spawns it.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::spawn([](int) {}, 1);
#else
  furca::spawn([i = 1] { (void)i; });
#endif
}
