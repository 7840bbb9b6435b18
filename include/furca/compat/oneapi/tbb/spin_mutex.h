// tbb::spin_mutex by std::mutex, after a few looks.
#pragma once

#include "detail/locks.h"
#include "profiling.h"

#include <furca/detail/base/processor.hpp>

namespace tbb {

namespace detail {

/// A std::mutex whose lock() looks for some microseconds before it sleeps: who holds it has a few
/// lines to do as a rule.
class SpinningMutex {
 public:
  void lock() {
    constexpr int kLooks = 16;
    for (int look = 0; look < kLooks; ++look) {
      if (mutex_.try_lock()) return;
      for (int pauses = 1 << (look < 4 ? look : 4); pauses > 0; --pauses)
        furca::detail::StdAtomics::relax();
    }
    mutex_.lock();
  }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace detail

/// Not recursive, not fair. A thread that waits for long sleeps, other than with oneTBB.
class spin_mutex : public detail::BasicMutex<spin_mutex, detail::SpinningMutex> {};
using speculative_spin_mutex = spin_mutex;

}  // namespace tbb
