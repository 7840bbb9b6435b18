// The shipped sleep protocol: no wake-up is lost, with heavy fences and with classic ones.
#include "checker/checked.hpp"
#include "programs/sleep_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

TEST_CASE("two threads: no wake-up is lost") { check_proven(sleep_programs()); }

TEST_CASE("three threads: no wake-up is lost") { check_bounded(large_sleep_programs()); }
