// tbb::queuing_rw_mutex by a SharedMutex (locks.h), which is not fair.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A SharedMutex: who waits longest is not always the next, and an upgrade to writer always
/// releases it meanwhile.
class queuing_rw_mutex : public detail::BasicSharedMutex<queuing_rw_mutex> {};

}  // namespace tbb
