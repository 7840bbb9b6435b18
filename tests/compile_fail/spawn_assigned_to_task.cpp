// A detached task has no handle.
#include <furca/spawn.hpp>

int main() {
#ifdef MISTAKE
  furca::Task<int> task = furca::spawn([] { return 1; });
#else
  furca::Task<int> task = furca::spawn_task([] { return 1; });
  task.join();
#endif
}
