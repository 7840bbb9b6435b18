// The shipped search front, on the courses that the model allows. All its orders are relaxed
// already, so there is none to weaken.
#include "checker/checked.hpp"
#include "programs/search_front_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("search front: each position below the end is claimed by one thread") {
  check_all(search_front_programs());
}
