// What the processors share with each other: cores, caches, sockets, memory. It says which bends of
// a curve to expect where.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// A number of threads above which something is different, wherever the system puts them: above the
/// 8 cores of the largest last-level cache, say, more than one such cache is in use.
struct Border {
  unsigned threads = 0;
  std::string meaning;  // "the cores of one last-level cache"
};

/// Of the processors that this program may run on. 0: not known.
struct Topology {
  unsigned processors = 0;
  unsigned cores = 0;   // physical ones: hardware threads of the same core count once
  unsigned caches = 0;  // of the last level
  unsigned nodes = 0;   // of memory
  unsigned sockets = 0;
  std::vector<Border> borders;  // ascending, each number once
};

/// Of these processors. `system` is a directory like /sys/devices/system; what it does not tell
/// stays unknown. `quota`: how many processors' time the process may have, if that is limited.
/// Never throws for what it reads.
Topology read_topology(const std::string& system, const std::vector<int>& processors,
                       std::optional<double> quota = std::nullopt);

/// 1, 2, 4 and so on, the borders, and `most` itself; ascending.
std::vector<unsigned> numbers_of_threads(const Topology& topology, unsigned most);

}  // namespace bench
