// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/memory_pool.h"
