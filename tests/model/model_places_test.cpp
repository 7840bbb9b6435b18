// The shipped places, on the courses that the model allows; and which of their orders are needed.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/places_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("places: each part is run once, and nobody sleeps beside one") {
  check_all(places_programs());
}

TEST_CASE("places: each order is needed") {
  const std::vector<Verdict> verdicts = weaken_each(places_programs(), {"places.hpp"});
  CHECK(verdicts.size() == 2);
  CHECK(judge(verdicts, {}));
}
