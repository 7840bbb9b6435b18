// A handle is joined.
#include <furca/spawn.hpp>

int main() {
  furca::Task<int> task = furca::spawn_task([] { return 1; });
#ifdef MISTAKE
  const int one = task.get();
#else
  const int one = task.join();
  static_cast<void>(one);
#endif
}
