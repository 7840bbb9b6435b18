// tbb::info: how many threads there are by default. Nothing is known of NUMA nodes, as where oneTBB
// finds no hwloc.
#pragma once

#include "version.h"

#include <furca/thread_pool.hpp>

#include <vector>

namespace tbb {

using numa_node_id = int;

namespace info {

/// One node, which stands for all.
inline std::vector<numa_node_id> numa_nodes() { return {-1}; }

/// The threads of the pool that the caller is in, or of the global one.
inline int default_concurrency(numa_node_id = -1) { return static_cast<int>(furca::num_threads()); }

}  // namespace info

}  // namespace tbb
