#include "processors.hpp"

#include "environment.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <compare>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <system_error>
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

/// At least 1; without a quota as many as can be.
std::size_t rounded_up(std::optional<double> quota) noexcept {
  return quota
             ? std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(*quota)), 1, kMostThreads)
             : kMostThreads;
}

#if defined(__linux__) && !defined(FURCA_PORTABLE)
/// The result of `read(mask, bytes)` of the calling thread's affinity mask; nullopt: the system
/// does not tell.
template <class Read>
auto read_affinity_mask(Read read) -> std::optional<decltype(read(nullptr, 0))> {
  // too small a mask is refused with EINVAL
  for (std::size_t bits = 1024; bits <= (std::size_t{1} << 20U); bits *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
        CPU_ALLOC(bits), [](cpu_set_t* one) { CPU_FREE(one); });
    if (mask == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(bits);
    if (sched_getaffinity(0, bytes, mask.get()) == 0) return read(mask.get(), bytes);
  }
  return std::nullopt;
}
#endif

/// The number that the file's first line begins with, the smallest of a list: it names a core, a
/// cache. -1: there is none.
int first_number_of(const std::filesystem::path& file) {
  int number = 0;
  return std::ifstream(file) >> number ? number : -1;
}

int core_of(const std::filesystem::path& processor) {
  const int core = first_number_of(processor / "topology/core_cpus_list");
  // its name before Linux 5.5
  return core >= 0 ? core : first_number_of(processor / "topology/thread_siblings_list");
}

int last_level_cache_of(const std::filesystem::path& processor) {
  int first_sharer = -1;
  for (int index = 0, highest = 0;; ++index) {
    const std::filesystem::path each = processor / "cache" / ("index" + std::to_string(index));
    const int level = first_number_of(each / "level");
    if (level < 0) return first_sharer;
    if (level < highest) continue;
    highest = level;
    first_sharer = first_number_of(each / "shared_cpu_list");
  }
}

/// A processor's directory has an entry of its node's name.
int node_of(const std::filesystem::path& processor) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(processor, error), end; !error && entry != end;
       entry.increment(error)) {
    int node = 0;
    if (std::sscanf(entry->path().filename().c_str(), "node%d", &node) == 1) return node;
  }
  return -1;
}

}  // namespace

ThreadCount find_thread_count() noexcept {
  const auto chosen = threads_from_environment(kMostThreads);
  ThreadCount found{.count = 0,
                    .from_environment = chosen.has_value(),
                    .affinity = processors_in_affinity_mask(),
                    .quota = quota_of_process()};
  found.count = chosen ? *chosen
                       : std::clamp<std::size_t>(std::min(found.affinity, rounded_up(found.quota)),
                                                 1, kMostThreads);
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
  if (const auto binding = find_binding()) return binding->among->size();
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  const int count = read_affinity_mask([](const cpu_set_t* mask, std::size_t bytes) {
                      return CPU_COUNT_S(bytes, mask);
                    }).value_or(0);
  if (count > 0) return static_cast<std::size_t>(count);
#endif
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

/// No function-local static with a guard: see asymmetric_fences().
std::size_t usable_processors() noexcept {
  constinit static std::atomic<std::size_t> known{0};
  std::size_t allowed = known.load(std::memory_order_relaxed);
  if (allowed == 0) {
    allowed = rounded_up(quota_of_process());
    known.store(allowed, std::memory_order_relaxed);
  }
  return std::min(processors_in_affinity_mask(), allowed);
}

std::vector<Processor> affinity_mask() {
  std::vector<Processor> processors;
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  read_affinity_mask([&](const cpu_set_t* mask, std::size_t bytes) {
    for (std::size_t processor = 0; processor < 8 * bytes; ++processor)
      if (CPU_ISSET_S(processor, bytes, mask))
        processors.push_back(static_cast<Processor>(processor));
    return true;
  });
#endif
  return processors;
}

std::vector<Processor> near_each_other(std::vector<Processor> processors,
                                       const std::string& system) {
  struct Position {
    int turn;  // how many hardware threads of its core come before it
    int node, cache, core;
    Processor processor;
    auto operator<=>(const Position&) const = default;
  };
  std::vector<Position> positions;
  std::map<int, int> threads_of_core;
  std::sort(processors.begin(), processors.end());
  for (const Processor processor : processors) {
    const std::filesystem::path directory =
        std::filesystem::path(system) / ("cpu" + std::to_string(processor));
    const int core = core_of(directory);
    positions.push_back({core >= 0 ? threads_of_core[core]++ : 0, node_of(directory),
                         last_level_cache_of(directory), core, processor});
  }
  std::sort(positions.begin(), positions.end());
  std::transform(positions.begin(), positions.end(), processors.begin(),
                 [](const Position& position) { return position.processor; });
  return processors;
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

std::vector<Processor> processors_to_bind_to() {
  const auto around = find_binding();
  std::vector<Processor> order =
      near_each_other(around ? *around->among : affinity_mask(), "/sys/devices/system/cpu");
  if (around)
    std::rotate(order.begin(), std::find(order.begin(), order.end(), around->to), order.end());
  return order;
}

}  // namespace furca::detail
