// tbb::rw_mutex by a SharedMutex (locks.h).
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A SharedMutex: an upgrade to writer always releases it meanwhile.
class rw_mutex : public detail::BasicSharedMutex<rw_mutex> {};

}  // namespace tbb
