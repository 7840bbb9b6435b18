// Cores, caches and memory nodes.
#include "files.hpp"

#include "../processors.hpp"

#include <algorithm>
#include <compare>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

namespace furca::detail {

namespace {

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

}  // namespace furca::detail
