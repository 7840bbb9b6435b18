// What rows reach, written down: expected.txt.
#pragma once

#include "machine/machine.hpp"

#include <string>
#include <vector>

namespace counted {

/// Runs its rows, or those that are named, with six seeds each. False, and says which: some are off
/// by more than its slack, faster or slower, and by more than chance makes them.
bool meets(const std::string& file, const Machine::Setting& setting,
           const std::vector<std::string>& names);

/// Runs its rows, and writes what they reach.
void write_expected(const std::string& file, const Machine::Setting& setting);

}  // namespace counted
