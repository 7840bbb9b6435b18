// The CPU quota of control groups.
#include "files.hpp"

#include "../processors.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace furca::detail {

namespace {

/// "max 100000" or "150000 100000": processors, if there is a limit.
std::optional<double> read_v2(const std::string& directory) {
  std::ifstream limit(directory + "/cpu.max");
  double quota = 0;
  double period = 0;
  // "max" is not a number
  if (limit >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::nullopt;
}

std::optional<double> read_v1(const std::string& directory) {
  std::ifstream quota_file(directory + "/cpu.cfs_quota_us");
  std::ifstream period_file(directory + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  // -1: no limit
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

std::optional<double> tighter(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The tightest limit of `group` and every group above it. A group that a container cannot see
/// under the mount is passed over; the mount's own root is then the container's.
template <class Read>
std::optional<double> tightest(const std::string& mount, std::string group, Read read) {
  std::optional<double> limit;
  for (;;) {
    if (!group.empty() && group.back() == '/') group.pop_back();
    limit = tighter(limit, read(mount + group));
    if (group.empty()) return limit;
    const std::size_t slash = group.rfind('/');
    group.erase(slash == std::string::npos ? 0 : slash);
  }
}

bool lists_cpu(const std::string& controllers) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');)
    if (name == "cpu") return true;
  return false;
}

}  // namespace

std::optional<double> cgroup_quota(const std::string& membership, const std::string& mount) {
  std::ifstream file(membership);
  std::optional<double> limit;
  for (std::string line; std::getline(file, line);) {  // hierarchy-id:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      limit = tighter(limit, tightest(mount, group, read_v2));
    } else if (lists_cpu(controllers)) {
      limit = tighter(limit, tightest(mount + "/" + controllers, group, read_v1));
      if (controllers != "cpu") limit = tighter(limit, tightest(mount + "/cpu", group, read_v1));
    }
  }
  return limit;
}

}  // namespace furca::detail
