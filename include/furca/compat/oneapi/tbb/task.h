// tbb::task: the calling thread's context. suspend() and resume() are left to oneTBB.
#pragma once

#include "detail/contexts.h"
#include "profiling.h"

namespace tbb::task {

/// The innermost context that the calling thread runs in; null: none.
using detail::current_context;

}  // namespace tbb::task
