// The shipped shared fence, on the courses that the model allows; and which of its orders are
// needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/shared_fence_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("shared fence: who passes it misses nobody") { check_all(shared_fence_programs()); }

TEST_CASE("shared fence: each order is needed") {
  const std::vector<Program> programs = shared_fence_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, {"shared_fence.hpp"});
  constexpr const char* kOnItsBehalf =
      "kept because the proof without it is long: the fence that it waits for is on behalf of all "
      "threads, its own among them";
  CHECK(judge(verdicts,
              {{"shared_fence.hpp", "ended_.load(std::memory_order_acquire)", "", kOnItsBehalf},
               {"shared_fence.hpp", "ended_.compare_exchange_weak(", "", kOnItsBehalf}}));
}
