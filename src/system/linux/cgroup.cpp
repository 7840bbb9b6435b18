// The CPU quota of control groups.
#include "files.hpp"

#include "../processors.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace furca::detail {

namespace {

/// All of it; empty if it cannot be read. A stream of the standard library's would take most of the
/// time in which a program starts its threads.
std::string contents_of(const std::string& path) {
  const std::unique_ptr<std::FILE, void (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "re"), [](std::FILE* one) { std::fclose(one); });
  std::string contents;
  if (file == nullptr) return contents;
  char block[512];
  while (const std::size_t length = std::fread(block, 1, sizeof block, file.get()))
    contents.append(block, length);
  return contents;
}

/// "150000 100000" are 1.5 processors; "max 100000" and "-1" are no limit.
std::optional<double> processors_of(const std::string& quota_and_period) {
  double quota = 0;
  double period = 0;
  const int numbers = std::sscanf(quota_and_period.c_str(), "%lf %lf", &quota, &period);
  return numbers == 2 && quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

std::optional<double> read_v2(const std::string& directory) {
  return processors_of(contents_of(directory + "/cpu.max"));
}

std::optional<double> read_v1(const std::string& directory) {
  return processors_of(contents_of(directory + "/cpu.cfs_quota_us") + " " +
                       contents_of(directory + "/cpu.cfs_period_us"));
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
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<double> cgroup_quota(const std::string& membership, const std::string& mount) {
  const std::string lines = contents_of(membership);
  std::optional<double> limit;
  for (std::size_t begin = 0, end; begin < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);  // hierarchy-id:controllers:path
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
