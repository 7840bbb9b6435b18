// What scenarios of processes that exit have in common.
#pragma once

#include <furca/join.hpp>

#include "observe.hpp"
#include "subprocess.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace furca::test {

/// Runs on_started() on a thread that furca started, at the same time as on_caller() here. Neither
/// needs to return.
template <class OnCaller, class OnStarted>
void on_two_threads(OnCaller on_caller, OnStarted on_started) {
  Meeting both(2);
  furca::join(
      [&] {
        both.attend();
        on_caller();
      },
      [&] {
        both.attend();
        on_started();
      });
}

inline void compute_forever() {
  eventually([] { return false; });
}

/// For destructors, which have no result to return.
inline void compute_or_die() {
  if (!computes()) _exit(99);
}

/// The scenario exits with 7, in time, without a word on stderr.
inline void check_exit(const ChildProcess& child, int times = 1, const char* expected_output = "") {
  for (int i = 0; i < times; ++i) {
    const Ending ending = child.run();
    INFO(ending);
    REQUIRE(ending.cleanly(7));
    REQUIRE(ending.output == expected_output);
  }
}

}  // namespace furca::test
