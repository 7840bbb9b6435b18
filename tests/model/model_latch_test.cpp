// The shipped latch, bell and deque as join uses them when an arm is stolen.
#include "checker/checked.hpp"
#include "programs/latch_programs.hpp"

#include <doctest/doctest.h>

TEST_CASE(
    "a stolen arm: done once, awaited, its frame left in time, and a waiter helps with nothing "
    "else") {
  furca::model::check_proven(furca::model::latch_programs());
}

TEST_CASE("a waiter asleep is woken by a fork that it must help with") {
  furca::model::check_bounded(furca::model::large_join_programs());
}
