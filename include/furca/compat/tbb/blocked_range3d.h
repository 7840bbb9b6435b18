// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/blocked_range3d.h"
