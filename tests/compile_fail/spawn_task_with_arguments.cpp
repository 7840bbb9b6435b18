// Nobody gives a task arguments, not even who spawns it.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::spawn_task([](int i) { return i; }, 1).join();
#else
  furca::spawn_task([i = 1] { return i; }).join();
#endif
}
