// The same for one that returns nothing.
#include <furca/spawn.hpp>

int main() {
  furca::Task<void> task = furca::spawn_task([] {});
#ifdef MISTAKE
  task.wait();
#else
  task.join();
#endif
}
