// The shipped deque and its fences, on every course that the model allows.
#include "checker/checked.hpp"
#include "programs/deque_programs.hpp"
#include "programs/fence_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("deque: every task is consumed once, and seen whole") { check_proven(deque_programs()); }

TEST_CASE("adaptive fence: owner and thief never miss each other") {
  check_proven(fence_programs());
}

TEST_CASE("deque and adaptive fence: longer programs") {
  check_proven(long_fence_programs());
  check_proven(long_deque_programs());
}

TEST_CASE("deque: more threads") { check_bounded(large_deque_programs()); }

TEST_CASE("adaptive fence, more threads and visits") { check_bounded(large_fence_programs()); }
