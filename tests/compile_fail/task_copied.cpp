// A handle is one thread's.
#include <furca/spawn.hpp>

int main() {
  furca::Task<int> task = furca::spawn_task([] { return 1; });
#ifdef MISTAKE
  furca::Task<int> other = task;
#else
  furca::Task<int> other = std::move(task);
#endif
  return other.join() - 1;
}
