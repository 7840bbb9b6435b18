// Which oneTBB this look-alike stands for: 2021.8. FURCA_TBB is defined, so that a program can tell
// it from oneTBB's own headers.
#pragma once

#include <furca/detail/base/config.hpp>  // first: reports compilation as C++17

#define FURCA_TBB 1

// The first are of oneTBB's containers and algorithms.
#if defined(__TBB_detail__template_helpers_H) || defined(__TBB_profiling_H) ||      \
    defined(__TBB_blocked_rangeNd_H) || defined(__TBB_collaborative_call_once_H) || \
    defined(__TBB_concurrent_lru_cache_H) || defined(__TBB_flow_graph_H) ||         \
    defined(__TBB_flow_graph_abstractions_H) || defined(__TBB_memory_pool_H) ||     \
    defined(__TBB_scalable_allocator_H)
#error "furca: oneTBB's own header was included before the look-alike's: they have the same names"
#endif

// The headers that are left to oneTBB: where it is installed, too, a compiler finds its own, which
// are empty then. What they would declare is refused where it is used, as a name that is not there.
#define __TBB_blocked_rangeNd_H
#define __TBB_collaborative_call_once_H
#define __TBB_concurrent_lru_cache_H
#define __TBB_flow_graph_H
#define __TBB_flow_graph_abstractions_H
#define __TBB_memory_pool_H

#define TBB_VERSION_MAJOR 2021
#define TBB_VERSION_MINOR 8
#define TBB_VERSION_PATCH 0
#define TBB_VERSION_STRING "2021.8"

#define ONETBB_SPEC_VERSION "1.0"
#define TBB_INTERFACE_VERSION 12080
#define TBB_INTERFACE_VERSION_MAJOR (TBB_INTERFACE_VERSION / 1000)
#define TBB_INTERFACE_VERSION_MINOR (TBB_INTERFACE_VERSION % 1000 / 10)

// Macros of oneTBB's configuration that programs ask for.
#ifndef TBB_USE_EXCEPTIONS
#define TBB_USE_EXCEPTIONS 1
#endif
#ifndef TBB_USE_DEBUG
#define TBB_USE_DEBUG 0
#endif
#ifndef TBB_USE_ASSERT
#define TBB_USE_ASSERT TBB_USE_DEBUG
#endif

// oneTBB's names live in tbb, and oneapi::tbb is the same namespace.
namespace tbb {}
namespace oneapi {
namespace tbb = ::tbb;
}

/// The version of the library at run time: of what the headers stand for.
inline const char* TBB_runtime_version() { return TBB_VERSION_STRING; }
inline int TBB_runtime_interface_version() { return TBB_INTERFACE_VERSION; }
