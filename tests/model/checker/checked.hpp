// Explores programs for a test, and says how much that was.
#pragma once

#include "program.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace furca::model {

/// With MODEL_PROGRAM in the environment: only programs whose name contains it.
inline bool asked_for(const Program& program) {
  const char* const part = std::getenv("MODEL_PROGRAM");
  return part == nullptr || program.name.find(part) != std::string::npos;
}

/// All courses of all of them, and none fails.
inline void check_proven(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    if (!asked_for(program)) continue;
    const Result result = explore(program.body, program.options);
    const std::string report = program.name + ": " + result.report();
    std::printf("%s\n", report.c_str());
    CHECK_MESSAGE(result.proven(), report);
  }
}

/// Those with as many preemptions or old values as each program says, and none fails. That is no
/// proof.
inline void check_bounded(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    if (!asked_for(program)) continue;
    REQUIRE((program.options.preemptions >= 0 || program.options.stale >= 0));
    const Result result = explore(program.body, program.options);
    const std::string report = program.name + ": " + result.report();
    std::printf("%s\n", report.c_str());
    CHECK_MESSAGE(result.failure == nullptr, report);
    CHECK_MESSAGE(!result.capped, report);
  }
}

/// Each as far as it says.
inline void check_all(const std::vector<Program>& programs) {
  for (const Program& program : programs)
    program.options.preemptions < 0 && program.options.stale < 0 ? check_proven({program})
                                                                 : check_bounded({program});
}

}  // namespace furca::model
