// tbb::spin_mutex by std::mutex, which spins for a moment and then sleeps.
#pragma once

#include "detail/locks.h"

namespace tbb {

/// A std::mutex: not recursive, not fair.
class spin_mutex : public detail::BasicMutex<spin_mutex, std::mutex> {};
using speculative_spin_mutex = spin_mutex;

}  // namespace tbb
