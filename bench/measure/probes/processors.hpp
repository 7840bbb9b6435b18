// Which thread runs where, for probes that must not depend on where the system puts two threads.
#pragma once

#include <cstddef>
#include <vector>

#include <sched.h>

namespace bench {

/// Those that this program may run on, as it was at the first call; never none.
inline const std::vector<int>& allowed_processors() {
  static const std::vector<int> all = [] {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<int> found;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
    }
    if (found.empty()) found.push_back(0);
    return found;
  }();
  return all;
}

/// From here on the calling thread runs on the allowed processor of that number, counted round and
/// round, and on no other.
inline void stay_on_processor(std::size_t number) {
  const std::vector<int>& all = allowed_processors();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(all[number % all.size()], &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace bench
