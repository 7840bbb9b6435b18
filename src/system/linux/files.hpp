// What Linux tells in files.
#pragma once

#include "../placement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace furca::detail {

/// The CPU quota that binds the process, in processors (1.5 is possible); nullopt if there is none.
/// cgroup v2 (cpu.max) and v1 (cpu.cfs_quota_us), the tightest of the process's own group and those
/// above it. `membership` is a file like /proc/self/cgroup, `mount` a directory like
/// /sys/fs/cgroup.
std::optional<double> cgroup_quota(const std::string& membership, const std::string& mount);

/// near_each_other() with a directory like /sys/devices/system/cpu.
std::vector<Processor> near_each_other(std::vector<Processor> processors,
                                       const std::string& system);

}  // namespace furca::detail
