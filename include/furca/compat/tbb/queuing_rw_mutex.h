// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/queuing_rw_mutex.h"
