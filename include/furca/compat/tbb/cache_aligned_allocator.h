// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/cache_aligned_allocator.h"
