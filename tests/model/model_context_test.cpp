// The shipped contexts of the oneTBB look-alike, on the courses that the model allows.
//
// Orders are not weakened one by one: most of them guard what contexts are made for, the elements
// of a loop that was cancelled, and memory that is freed.
#include "checker/checked.hpp"
#include "programs/context_programs.hpp"

#include <doctest/doctest.h>

TEST_CASE("contexts: a cancellation is seen below by who can know of it, and none that is over") {
  furca::model::check_all(furca::model::context_programs());
}
