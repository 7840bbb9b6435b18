// The calling thread's forks.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

class Forks;
class Worker;

/// Those of the calling thread's worker in the pool that it runs in now; null for a thread that
/// furca has not seen, and for every thread while furca observes itself (observe.hpp): a call that
/// finds null here takes an out-of-line path.
FURCA_API extern constinit thread_local Forks* current_forks;

/// The calling thread's worker while furca observes itself; else null.
FURCA_API extern constinit thread_local Worker* observed_worker;

}  // namespace furca::detail
