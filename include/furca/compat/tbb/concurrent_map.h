// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/concurrent_map.h"
