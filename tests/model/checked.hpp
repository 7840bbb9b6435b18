// Explores programs for a test, and says how much that was.
#pragma once

#include "program.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <vector>

namespace furca::model {

/// All courses of all of them, and none fails.
inline void check_proven(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    const Result result = explore(program.body, program.options);
    const std::string report = program.name + ": " + result.report();
    std::printf("%s\n", report.c_str());
    CHECK_MESSAGE(result.proven(), report);
  }
}

/// Those with as many preemptions as each program says, and none fails. That is no proof.
inline void check_bounded(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    REQUIRE(program.options.preemptions >= 0);
    const Result result = explore(program.body, program.options);
    const std::string report = program.name + ": " + result.report();
    std::printf("%s\n", report.c_str());
    CHECK_MESSAGE(result.failure == nullptr, report);
    CHECK_MESSAGE(!result.capped, report);
  }
}

}  // namespace furca::model
