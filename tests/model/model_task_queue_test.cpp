// The shipped task queue, on every course that the model allows; and whether each of its orders is
// needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/task_queue_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("task queue: every task is taken once, and whole") { check_all(task_queue_programs()); }

TEST_CASE("task queue: each order is needed") {
  const std::vector<Program> programs = task_queue_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, {"task_queue.hpp"});
  CHECK(judge(verdicts, {}));
  CHECK(survive_together(verdicts, programs));
}
