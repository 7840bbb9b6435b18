// tbb::rw_mutex by std::shared_mutex.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A std::shared_mutex: an upgrade to writer always releases it meanwhile.
class rw_mutex : public detail::BasicSharedMutex<rw_mutex> {};

}  // namespace tbb
