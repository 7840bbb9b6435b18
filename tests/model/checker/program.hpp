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

/// The same with at most `most_stale` loads that return an old value.
inline Options with_preemptions(int most, int most_stale) {
  Options options = with_preemptions(most);
  options.stale = most_stale;
  return options;
}

}  // namespace furca::model
