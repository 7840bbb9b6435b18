// Also into a lambda.
#include <furca/spawn.hpp>

#include <utility>

int main() {
  furca::Task<int> task = furca::spawn_task([] { return 1; });
#ifdef MISTAKE
  auto later = [task]() mutable { return task.join(); };
#else
  auto later = [task = std::move(task)]() mutable { return task.join(); };
  later();
#endif
}
