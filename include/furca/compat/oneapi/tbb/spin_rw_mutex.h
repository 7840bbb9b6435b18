// tbb::spin_rw_mutex by a SharedMutex (locks.h).
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A SharedMutex: an upgrade to writer always releases it meanwhile.
class spin_rw_mutex : public detail::BasicSharedMutex<spin_rw_mutex> {};
using speculative_spin_rw_mutex = spin_rw_mutex;

}  // namespace tbb
