// What is printed: the table, and the targets.
#pragma once

#include "harness.hpp"

namespace bench {

void print_table(const Results& results, const Plan& plan);
void print_targets(const Results& results, const Plan& plan);

}  // namespace bench
