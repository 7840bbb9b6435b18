#include "processors.hpp"

#include "environment.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace furca::detail {

namespace {

/// "max 100000" or "150000 100000": processors, if there is a limit.
std::optional<double> read_v2(const std::string& directory) {
  std::ifstream limit(directory + "/cpu.max");
  double quota = 0;
  double period = 0;
  if (limit >> quota >> period && quota > 0 && period > 0) return quota / period;  // "max" is not a number
  return std::nullopt;
}

std::optional<double> read_v1(const std::string& directory) {
  std::ifstream quota_file(directory + "/cpu.cfs_quota_us");
  std::ifstream period_file(directory + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0) return quota / period;  // -1: no limit
  return std::nullopt;
}

std::optional<double> tighter(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The tightest limit of `group` and every group above it. A group that a container cannot see under the mount is passed
/// over; the mount's own root is then the container's.
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

std::optional<double> quota_of_process() noexcept {
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  try {
    return cgroup_quota("/proc/self/cgroup", "/sys/fs/cgroup");
  } catch (const std::exception&) {
    // out of memory while reading: the affinity mask will do
  }
#endif
  return std::nullopt;
}

}  // namespace

ThreadCount find_thread_count() noexcept {
  const auto chosen = threads_from_environment(kMostThreads);
  ThreadCount found{.count = 0, .from_environment = chosen.has_value(), .affinity = processors_in_affinity_mask(), .quota = quota_of_process()};
  const std::size_t allowed = found.quota ? static_cast<std::size_t>(std::ceil(*found.quota)) : found.affinity;
  found.count = chosen ? *chosen : std::clamp<std::size_t>(std::min(found.affinity, allowed), 1, kMostThreads);
  return found;
}

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

std::size_t processors_in_affinity_mask() noexcept {
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  for (std::size_t bits = 1024; bits <= (std::size_t{1} << 20U); bits *= 2) {  // too small a mask is refused with EINVAL
    cpu_set_t* const mask = CPU_ALLOC(bits);
    if (mask == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(bits);
    const int count = sched_getaffinity(0, bytes, mask) == 0 ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (count > 0) return static_cast<std::size_t>(count);
  }
#endif
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

/// No function-local static: see asymmetric_fences().
std::size_t default_thread_count() noexcept {
  constinit static std::atomic<std::size_t> known{0};
  std::size_t count = known.load(std::memory_order_relaxed);
  if (count == 0) {
    count = find_thread_count().count;
    known.store(count, std::memory_order_relaxed);
  }
  return count;
}

}  // namespace furca::detail
