// What furca should reach on 64 and on 256 processors, and what it does there, simulated.
#pragma once

#include "scheduler.hpp"

#include <functional>
#include <string>

namespace simulator {

/// Prints tables as they come; own subtree, from sleep and awake. Whether all is reached.
bool targets(const Setting& setting, const std::function<void(const std::string&)>& print);

/// Speed-ups of each trial alone, and of the plan, on so many workers, over all workloads; of those
/// only whose names contain `filter`, and `only`.
void ideas(const Setting& setting, const std::vector<std::size_t>& workers,
           const std::string& filter, const std::string& only,
           const std::function<void(const std::string&)>& print);

/// How many elements change hands from call to call in a row of 20 loops over one range.
void kept_parts(const Setting& setting, const std::function<void(const std::string&)>& print);

}  // namespace simulator
