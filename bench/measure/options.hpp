// The command line.
#pragma once

#include "arguments.hpp"
#include "harness.hpp"

#include <span>
#include <string>

namespace bench {

struct Options {
  Plan plan;
  bool list = false;
};

/// Refuses what it does not understand. What each option means: furca_bench.py --help, but for
/// `--only NAME`, which may be there several times: rows of these workloads, and probes of this
/// name.
Options parse(std::span<char* const> arguments);

}  // namespace bench
