// How many instructions an operation takes, counted by valgrind: what no other program on the
// machine can disturb.
#pragma once

#include "output/results.hpp"

#include <span>
#include <string>
#include <vector>

namespace bench {

/// Counts for this `program`, which is started under valgrind again and again. Empty where there is
/// no valgrind.
std::vector<Figure> count_instructions(const std::string& program);

/// What the program does when it is counted: true if the arguments said so, and all is done.
bool run_if_counted(std::span<char* const> arguments);

}  // namespace bench
