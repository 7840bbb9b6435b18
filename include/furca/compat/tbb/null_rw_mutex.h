// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/null_rw_mutex.h"
