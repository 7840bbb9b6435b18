// The shipped run queue, on every course that the model allows; and whether each of its orders is
// needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/run_queue_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("run queue: every item is taken once, in order, and as by a plain queue") {
  check_proven(run_queue_programs());
}

TEST_CASE("run queue: more threads and steps") { check_bounded(large_run_queue_programs()); }

TEST_CASE("run queue: each order is needed") {
  const std::vector<Program> programs = run_queue_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, {"run_queue.hpp"});
  CHECK(judge(verdicts, {}));
  CHECK(survive_together(verdicts, programs));
}

TEST_CASE("a plain queue explains what it can do, and nothing else") {
  using Kind = QueueEvent::Kind;
  const auto explained = [](std::vector<std::vector<QueueEvent>> threads) {
    return SequentialQueue(4, std::move(threads)).explains();
  };
  const QueueEvent one{Kind::push, 1, {}};
  const QueueEvent two{Kind::push, 2, {}};
  CHECK(explained({{one, two, {Kind::pop, -1, {1}}}, {{Kind::steal, -1, {2}}}}));
  CHECK(explained({{one, two}, {{Kind::steal, -1, {}}}}));
  CHECK_FALSE(explained({{one, two, {Kind::pop, -1, {2}}}}));
  CHECK_FALSE(explained({{one, {Kind::pop, -1, {}}}}));
  CHECK_FALSE(explained({{one, two, {Kind::pop, -1, {1}}, {Kind::pop, -1, {}}}}));
  CHECK_FALSE(explained({{one, two}, {{Kind::steal, -1, {1, 2}}}}));
  CHECK_FALSE(explained(
      {{one, two, {Kind::pop, -1, {1}}}, {{Kind::steal, -1, {2}}, {Kind::steal, -1, {2}}}}));
}
