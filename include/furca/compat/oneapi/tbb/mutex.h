// tbb::mutex by std::mutex.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

namespace tbb {

/// A std::mutex: not recursive, not fair.
class mutex : public detail::BasicMutex<mutex, std::mutex> {};

}  // namespace tbb
