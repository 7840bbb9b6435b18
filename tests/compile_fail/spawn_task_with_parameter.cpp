// Nobody gives a task arguments.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::spawn_task([](int) {}).join();
#else
  furca::spawn_task([] {}).join();
#endif
}
