// A handle is moved.
#include <furca/spawn.hpp>

#include <utility>

int main() {
  furca::Task<void> task = furca::spawn_task([] {});
  furca::Task<void> other;
#ifdef MISTAKE
  other = task;
#else
  other = std::move(task);
#endif
}
