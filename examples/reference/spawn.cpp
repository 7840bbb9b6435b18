// spawn, spawn_task and wait_idle, in use.
#include "../expect.hpp"

#include <furca/spawn.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

std::atomic<int> indexed{0};

void index(const std::string&) { ++indexed; }

void detached() {
  //! [spawn]
  for (const std::string path : {"a.txt", "b.txt"}) furca::spawn([path] { index(path); });
  //! [spawn]

  //! [wait_idle]
  furca::wait_idle();  // all spawned tasks have ended, and all that they have spawned
  //! [wait_idle]
  examples::expect(indexed == 2, "both tasks have run");
}

void with_a_handle() {
  //! [spawn_task]
  furca::Task<int> answer = furca::spawn_task([] { return 6 * 7; });
  const int value = answer.join();  // throws what the task threw
  //! [spawn_task]
  examples::expect(value == 42, "the result of a task");
}

void what_a_handle_can_do() {
  //! [Task]
  furca::Task<int> handle;  // empty
  furca::Task<int> task = furca::spawn_task([] { return 1; });
  handle = std::move(task);  // task is empty now
  task.swap(handle);         // and now handle is
  int result = 0;
  if (task.valid() && task.ready()) {
    result = task.join();  // does not wait
  } else if (task.cancel()) {
    // the task had not begun, and never will
    result = 1;
  } else {
    result = task.join();  // waits
  }
  //! [Task]
  examples::expect(result == 1 && !task.valid() && !handle.valid(),
                   "one way or the other, the handle is empty");
  try {
    task.join();
    examples::expect(false, "an empty handle has nothing to join");
  } catch (const std::logic_error&) {
  }
}

}  // namespace

int main() {
  detached();
  with_a_handle();
  what_a_handle_can_do();
  return examples::unexpected;
}
