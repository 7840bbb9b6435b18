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
  std::string json;      // files to write; empty: none
  std::string html;
  std::string svg;
  std::string curves;
  std::string earlier;   // an earlier run's JSON, to compare this one with
  std::string shown;     // an earlier run's JSON, to be shown instead of running anything
};

/// Refuses what it does not understand. --help prints and exits with 0.
Options parse(std::span<char* const> arguments);

}  // namespace bench
