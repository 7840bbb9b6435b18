// tbb::null_rw_mutex: no mutex, where a template asks for one.
#pragma once

#include "detail/locks.h"

namespace tbb {

/// Excludes nobody.
class null_rw_mutex : public detail::NullMutex<detail::SharedScopedLock<null_rw_mutex>, true> {};

}  // namespace tbb
