// The shipped tallies, on every course that the model allows; and whether each of their orders is
// needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/tally_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("tally: who is told that all have ended has seen what they did") {
  check_proven(tally_programs());
}

TEST_CASE("tally: each order is needed") {
  const std::vector<Program> programs = tally_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, {"tally.hpp"});
  CHECK(judge(verdicts, {}));
  CHECK(survive_together(verdicts, programs));
}
