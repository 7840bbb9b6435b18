// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/tick_count.h"
