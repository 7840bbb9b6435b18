// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/spin_mutex.h"
