// tbb::queuing_mutex by std::mutex, which is not fair.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A std::mutex: who waits longest is not always the next.
class queuing_mutex : public detail::BasicMutex<queuing_mutex, std::mutex> {};

}  // namespace tbb
