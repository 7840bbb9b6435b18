// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/scalable_allocator.h"
