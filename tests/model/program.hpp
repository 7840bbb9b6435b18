// A program by its name, for the tests and for the mutations.
#pragma once

#include "explorer.hpp"

#include <functional>
#include <string>

namespace furca::model {

struct Program {
  std::string name;
  std::function<void()> body;
  Options options = {};
};

/// Options for programs with too many courses to take them all.
inline Options with_preemptions(int most) {
  Options options;
  options.preemptions = most;
  return options;
}

}  // namespace furca::model
