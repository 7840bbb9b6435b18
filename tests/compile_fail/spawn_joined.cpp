// A detached task has no handle.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::spawn([] {}).join();
#else
  furca::spawn_task([] {}).join();
#endif
}
