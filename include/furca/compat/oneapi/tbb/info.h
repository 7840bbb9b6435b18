// tbb::info: how many threads there are by default. Nothing is known of NUMA nodes, as where oneTBB
// finds no hwloc.
#pragma once

#include "version.h"

#include <furca/thread_pool.hpp>

#include <vector>

namespace tbb {

using numa_node_id = int;
using core_type_id = int;

/// Where an arena's threads should run. Hints: the number of threads counts, the rest is accepted
/// and has no effect.
struct constraints {
  numa_node_id numa_id;
  int max_concurrency;
  core_type_id core_type = -1;
  int max_threads_per_core = -1;

  explicit(false) constraints(numa_node_id id = -1, int maximal_concurrency = -1)
      : numa_id(id), max_concurrency(maximal_concurrency) {}

  constraints& set_numa_id(numa_node_id id) { return numa_id = id, *this; }
  constraints& set_max_concurrency(int maximal_concurrency) {
    return max_concurrency = maximal_concurrency, *this;
  }
  constraints& set_core_type(core_type_id id) { return core_type = id, *this; }
  constraints& set_max_threads_per_core(int threads) {
    return max_threads_per_core = threads, *this;
  }
};

namespace info {

/// One node, which stands for all.
inline std::vector<numa_node_id> numa_nodes() { return {-1}; }

/// One kind of core, which stands for all.
inline std::vector<core_type_id> core_types() { return {-1}; }

/// The threads of the pool that the caller is in, or of the global one; or so many as are wanted.
/// @{
inline int default_concurrency(numa_node_id = -1) { return static_cast<int>(furca::num_threads()); }
inline int default_concurrency(const constraints& wanted) {
  return wanted.max_concurrency > 0 ? wanted.max_concurrency : default_concurrency();
}
/// @}

}  // namespace info

}  // namespace tbb
