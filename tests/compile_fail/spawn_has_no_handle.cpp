// Nobody waits for a detached task, so there is nothing to wait with.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  auto task = furca::spawn([] {});
#else
  auto task = furca::spawn_task([] {});
  task.join();
#endif
}
