#include "topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The first line; empty if there is none.
std::string line_of(const fs::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
}

/// Entries of a directory whose names begin so; none if there is no such directory.
std::vector<fs::path> entries(const fs::path& directory, const std::string& beginning) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with(beginning)) found.push_back(entry->path());
  }
  return found;
}

/// Whether a list of the kernel's has the number: "0-3,8-11".
bool lists(const std::string& list, int number) {
  int first = 0;
  int last = 0;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string part = list.substr(at, comma - at);
    const int read = std::sscanf(part.c_str(), "%d-%d", &first, &last);
    if (read >= 1 && first <= number && number <= (read == 2 ? last : first)) return true;
    at = comma + 1;
  }
  return false;
}

/// Processors are together in a group if they have the same text here; empty where that is not
/// known.
std::string core_of(const fs::path& processor) {
  const std::string newer = line_of(processor / "topology/core_cpus_list");
  return newer.empty() ? line_of(processor / "topology/thread_siblings_list") : newer;
}

std::string last_cache_of(const fs::path& processor) {
  int highest = 0;
  std::string shared_by;
  for (const fs::path& cache : entries(processor / "cache", "index")) {
    int level = 0;
    std::ifstream(cache / "level") >> level;
    if (level <= highest) continue;
    highest = level;
    shared_by = line_of(cache / "shared_cpu_list");
  }
  return shared_by;
}

std::string node_of(const fs::path& system, int processor) {
  for (const fs::path& node : entries(system / "node", "node")) {
    if (lists(line_of(node / "cpulist"), processor)) return node.filename().string();
  }
  return "";
}

/// Groups of processors, each with the cores that it has.
class Groups {
 public:
  void add(const std::string& group, const std::string& core) {
    group.empty() ? void(known_ = false) : void(cores_[group].insert(core));
  }

  /// 0 if that is not known of every processor.
  unsigned count() const { return known_ ? static_cast<unsigned>(cores_.size()) : 0; }

  /// Cores of the largest.
  unsigned largest() const {
    std::size_t most = 0;
    for (const auto& [group, cores] : cores_) most = std::max(most, cores.size());
    return static_cast<unsigned>(most);
  }

 private:
  bool known_ = true;
  std::map<std::string, std::set<std::string>> cores_;
};

/// Two at the same number are one border.
void add_border(std::vector<Border>& borders, unsigned threads, const std::string& meaning) {
  const auto at = std::find_if(borders.begin(), borders.end(),
                               [&](const Border& one) { return one.threads >= threads; });
  if (at == borders.end() || at->threads > threads) {
    borders.insert(at, {threads, meaning});
  } else {
    at->meaning += ", " + meaning;
  }
}

}  // namespace

Topology read_topology(const std::string& system, const std::vector<int>& processors,
                       std::optional<double> quota) {
  Groups cores;
  Groups caches;
  Groups nodes;
  Groups sockets;
  for (const int number : processors) {
    const fs::path processor = fs::path(system) / "cpu" / ("cpu" + std::to_string(number));
    const std::string core = core_of(processor);
    cores.add(core, core);
    caches.add(last_cache_of(processor), core);
    nodes.add(node_of(system, number), core);
    sockets.add(line_of(processor / "topology/physical_package_id"), core);
  }
  Topology found{static_cast<unsigned>(processors.size()),
                 cores.count(),
                 caches.count(),
                 nodes.count(),
                 sockets.count(),
                 {}};
  if (found.cores > 0) {
    if (found.caches > 1)
      add_border(found.borders, caches.largest(), "the cores of one last-level cache");
    if (found.nodes > 1) add_border(found.borders, nodes.largest(), "the cores of one memory node");
    if (found.sockets > 1) add_border(found.borders, sockets.largest(), "the cores of one socket");
    if (found.cores < found.processors)
      add_border(found.borders, found.cores, "all cores; beyond, two threads share a core");
  }
  if (found.processors > 0) {
    const char* const all = found.cores == found.processors
                                ? "all cores; beyond, threads take turns"
                                : "all processors; beyond, threads take turns";
    add_border(found.borders, found.processors, all);
  }
  if (quota && *quota < found.processors) {
    const auto whole = static_cast<unsigned>(std::max(1.0, std::ceil(*quota)));
    add_border(found.borders, whole, "the quota; beyond, threads wait for their share");
  }
  return found;
}

std::vector<unsigned> numbers_of_threads(const Topology& topology, unsigned most) {
  std::vector<unsigned> numbers{most};
  for (unsigned number = 1; number < most; number *= 2) numbers.push_back(number);
  for (const Border& border : topology.borders) {
    if (border.threads < most) numbers.push_back(border.threads);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace bench
