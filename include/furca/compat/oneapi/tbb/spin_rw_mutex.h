// tbb::spin_rw_mutex by std::shared_mutex.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A std::shared_mutex: an upgrade to writer always releases it meanwhile.
class spin_rw_mutex : public detail::BasicSharedMutex<spin_rw_mutex> {};
using speculative_spin_rw_mutex = spin_rw_mutex;

}  // namespace tbb
