// tbb::null_mutex: no mutex, where a template asks for one.
#pragma once

#include "detail/locks.h"

namespace tbb {

/// Excludes nobody.
class null_mutex : public detail::NullMutex<detail::ScopedLock<null_mutex>, false> {};

}  // namespace tbb
