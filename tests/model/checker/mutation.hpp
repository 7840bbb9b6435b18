// Is each order in the source needed? Weakens them one by one, and asks the programs whether they
// notice.
#pragma once

#include "program.hpp"
#include "site.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace furca::model {

/// What became of one weakening.
struct Verdict {
  Weakening weakening;
  std::string killer;      ///< the program that failed with it; empty: it survived
  std::string what;        ///< how that failed
  std::uint64_t runs = 0;  ///< of that program until then; of all of them for a survivor
  bool exhaustive = true;  ///< a survivor was tried to the end
};

/// A weakening that no program can notice, and why. `line` is a part of the source line, `change`
/// the end of Weakening::describe(), or empty for every change there.
struct Survivor {
  const char* file;
  const char* line;
  const char* change;
  const char* reason;
};

/// One step down at a time, at every place that the programs pass in files with one of `parts` in
/// their path. No program fails without it.
std::vector<Verdict> weaken_each(const std::vector<Program>& programs,
                                 const std::vector<const char*>& parts = {"include/furca/"});

/// All orders (not fences) that survived, relaxed at the same time: no program fails. Each was
/// tried alone before, and two could stand in for each other.
bool survive_together(const std::vector<Verdict>& verdicts, const std::vector<Program>& programs);

/// "K of N weakenings killed", for each file and in all, and one line for each; true if those that
/// survived are just the expected ones, and all of them do.
bool judge(const std::vector<Verdict>& verdicts, const std::vector<Survivor>& expected);

}  // namespace furca::model
