// The shipped injector, on every course that the model allows; and whether each of its orders is
// needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/injector_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("injector: every item is taken once, whole, and in its producer's order") {
  check_proven(injector_programs());
}

TEST_CASE("injector: each order is needed") {
  const std::vector<Program> programs = injector_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, {"injector.hpp"});
  CHECK(judge(verdicts, {}));
  CHECK(survive_together(verdicts, programs));
}
